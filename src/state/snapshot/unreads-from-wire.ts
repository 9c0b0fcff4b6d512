import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  directConversation,
  topicConversation,
} from '#state/model/conversation.ts';
import type {Unreads} from '#state/model/unread.ts';
import {buildUnreads} from '#state/unreads/build-unreads.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {otherUserId, type WireUnreads} from '#wire/objects/unread.ts';

interface UnreadIdsGroup {
  readonly key: ConversationKey;
  conversation: Conversation;
  ids: number[];
}

/** Builds the unread index from the server's lists, without conversations that are not visible. */
export function unreadsFromWire(
  wire: WireUnreads,
  selfId: number,
  isVisible: (conversation: Conversation) => boolean,
): Unreads {
  const groups = unreadIdGroups(wire, selfId).filter(({conversation}) => isVisible(conversation));
  return buildUnreads(
    groups.map(({key, conversation, ids}) => ({key, conversation, ids: SortedSet.from(ids)})),
    wire.mentions ?? [],
    wire.old_unreads_missing ?? false,
  );
}

function unreadIdGroups(wire: WireUnreads, selfId: number): UnreadIdsGroup[] {
  const groups = new Map<ConversationKey, UnreadIdsGroup>();
  const add = (conversation: Conversation, ids: readonly number[]) => {
    const key = conversationKey(conversation);
    const group = groups.get(key);
    if (group === undefined) {
      if (ids.length > 0) groups.set(key, {key, conversation, ids: [...ids]});
      return;
    }
    // Topics that differ in case only are one, spelled as in the latest message.
    if ((ids.at(-1) ?? 0) > (group.ids.at(-1) ?? 0)) group.conversation = conversation;
    group.ids = [...group.ids, ...ids].sort((a, b) => a - b);
  };
  for (const {stream_id, topic, unread_message_ids} of wire.streams) {
    add(topicConversation(stream_id, topic), unread_message_ids);
  }
  for (const {user_ids_string, unread_message_ids} of wire.huddles) {
    add(directConversation(user_ids_string.split(',').map(Number), selfId), unread_message_ids);
  }
  for (const entry of wire.pms) {
    const other = otherUserId(entry);
    if (other !== undefined) add(directConversation([other], selfId), entry.unread_message_ids);
  }
  return [...groups.values()];
}
