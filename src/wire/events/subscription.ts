import {subscription} from '#wire/objects/subscription.ts';
import {propertyPatch} from '#wire/property-patch.ts';
import {type Infer, int, ints, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const subscriptionAdd = object({
  ...eventFieldsWithOp('subscription', 'add'),
  subscriptions: s.array(subscription),
});
export const subscriptionRemove = object({
  ...eventFieldsWithOp('subscription', 'remove'),
  subscriptions: s.array(object({stream_id: int}, {name: s.string()})),
});
/** A changed property. Muting sends two events, for `is_muted` and for its inverse `in_home_view`, in any order. */
export const subscriptionUpdate = object({
  ...eventFieldsWithOp('subscription', 'update'),
  stream_id: int,
  property: s.string(),
  value: s.unknown(),
});
export const peerAdd = object({
  ...eventFieldsWithOp('subscription', 'peer_add'),
  stream_ids: ints,
  user_ids: ints,
});
export const peerRemove = object({
  ...eventFieldsWithOp('subscription', 'peer_remove'),
  stream_ids: ints,
  user_ids: ints,
});

export type SubscriptionUpdate = Infer<typeof subscriptionUpdate>;
export type SubscriptionEvent =
  | Infer<typeof subscriptionAdd>
  | Infer<typeof subscriptionRemove>
  | SubscriptionUpdate
  | Infer<typeof peerAdd>
  | Infer<typeof peerRemove>;

/** Returns the change as a checked patch of the subscription; undefined for an unknown property. */
export function subscriptionPatch(event: Pick<SubscriptionUpdate, 'property' | 'value'>) {
  return propertyPatch(subscription.entries, event.property, event.value);
}
