import {type Infer, object, s} from '#wire/schema.ts';
import {channelOptional, channelRequired} from './channel.ts';

export const subscriptionProperties = [
  'color',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const;
export type SubscriptionProperty = (typeof subscriptionProperties)[number];

// Null means the user's global setting. Only sent to clients with `notification_settings_null`.
const inheritable = s.nullable(s.boolean());

/** A channel with the user's own settings for it. */
export const subscription = object(
  {
    ...channelRequired,
    color: s.string(),
    pin_to_top: s.boolean(),
  },
  {
    ...channelOptional,
    is_muted: s.boolean(),
    in_home_view: s.boolean(),
    desktop_notifications: inheritable,
    audible_notifications: inheritable,
    push_notifications: inheritable,
    email_notifications: inheritable,
    wildcard_mentions_notify: inheritable,
  },
);
export type WireSubscription = Infer<typeof subscription>;

/** Returns whether a channel is muted; `in_home_view` is the older, inverse field. */
export function isMutedSubscription(sub: Pick<WireSubscription, 'is_muted' | 'in_home_view'>): boolean {
  return sub.is_muted ?? sub.in_home_view === false;
}
