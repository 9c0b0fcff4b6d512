import {ownAccount} from '#wire/objects/user.ts';
import {int, object, s} from '#wire/schema.ts';

/** Keys of a registration's response that events of several types change. */
export const channelKeys = ['subscriptions', 'unsubscribed', 'never_subscribed', 'streams'] as const;
export const userKeys = ['realm_users', 'realm_non_active_users', 'cross_realm_bots'] as const;
export const ownAccountKeys = Object.keys(ownAccount) as readonly (keyof typeof ownAccount)[];

/** The events of a poll as unknown values. They are decoded one by one, so a malformed one does not affect the others. */
export const rawEvents = s.array(s.unknown());

type Fields = Record<string, s.GenericSchema>;

/** Returns the schema of the events of a type. */
export function event<const T extends string, R extends Fields, O extends Fields = Record<never, never>>(
  type: T,
  required: R,
  optional?: O,
) {
  return object({id: int, type: s.literal(type), ...required}, optional);
}

type EntriesOf<S> = S extends {readonly entries: infer E extends Fields} ? E : never;
type EventsByOp<T extends string, P> = {
  [O in keyof P & string]: s.ObjectSchema<
    {id: typeof int; type: s.LiteralSchema<T, undefined>; op: s.LiteralSchema<O, undefined>} & EntriesOf<P[O]>,
    undefined
  >;
};

/** Returns the schemas of the events of a type whose other fields depend on their `op`. */
export function eventsByOp<const T extends string, P extends object>(type: T, ops: P): EventsByOp<T, P> {
  const schemas = Object.entries(ops).map(([op, {entries}]) => [op, event(type, {op: s.literal(op), ...entries})]);
  return Object.fromEntries(schemas) as EventsByOp<T, P>;
}
