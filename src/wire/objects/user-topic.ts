import {type Infer, int, object, openIntEnum, s, timestamp} from '#wire/schema.ts';

export const visibilityPolicies = {none: 0, muted: 1, unmuted: 2, followed: 3} as const;
export const visibilityPolicy = openIntEnum(0, 1, 2, 3);

export const userTopic = object({
  stream_id: int,
  topic_name: s.string(),
  last_updated: timestamp,
  visibility_policy: visibilityPolicy,
});
export type WireUserTopic = Infer<typeof userTopic>;

/** Legacy format below level 134: channel name, topic, and time of the change. */
export const mutedTopic = s.union([s.tuple([s.string(), s.string(), timestamp]), s.tuple([s.string(), s.string()])]);
export type MutedTopic = Infer<typeof mutedTopic>;
