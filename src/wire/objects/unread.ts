import {type Infer, int, ints, object, s} from '#wire/schema.ts';

export const unreadDirect = object({unread_message_ids: ints}, {other_user_id: int, sender_id: int});
export type UnreadDirect = Infer<typeof unreadDirect>;

/** Returns the other user of a one-to-one conversation; the field is `sender_id` below level 119. */
export function otherUserId(unread: UnreadDirect): number | undefined {
  return unread.other_user_id ?? unread.sender_id;
}

/** The unread messages of a group conversation. `user_ids_string` is sorted and includes the user. */
export const unreadGroup = object({user_ids_string: s.string(), unread_message_ids: ints});

export const unreadTopic = object({stream_id: int, topic: s.string(), unread_message_ids: ints});

export const unreads = object(
  {pms: s.array(unreadDirect), huddles: s.array(unreadGroup), streams: s.array(unreadTopic)},
  {count: int, mentions: ints, old_unreads_missing: s.boolean()},
);
export type WireUnreads = Infer<typeof unreads>;
