import {type Infer, int, ints, object, s} from '#wire/schema.ts';

export const unreadDirect = object({unread_message_ids: ints}, {other_user_id: int, sender_id: int});
export type UnreadDirect = Infer<typeof unreadDirect>;

/** The other person of a one-to-one conversation; servers below level 119 call it `sender_id`. */
export function otherUserId(unread: UnreadDirect): number | undefined {
  return unread.other_user_id ?? unread.sender_id;
}

/** `user_ids_string` is sorted by number and includes the reader. */
export const unreadGroup = object({user_ids_string: s.string(), unread_message_ids: ints});
export type UnreadGroup = Infer<typeof unreadGroup>;

export const unreadTopic = object({stream_id: int, topic: s.string(), unread_message_ids: ints});
export type UnreadTopic = Infer<typeof unreadTopic>;

export const unreads = object(
  {pms: s.array(unreadDirect), huddles: s.array(unreadGroup), streams: s.array(unreadTopic)},
  {count: int, mentions: ints, old_unreads_missing: s.boolean()},
);
export type WireUnreads = Infer<typeof unreads>;
