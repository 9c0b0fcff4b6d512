import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  directConversation,
  topicConversation,
} from '#state/model/conversation.ts';
import {noUnreads, type Unreads} from '#state/model/unread.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {otherUserId, type Unreads as WireUnreads} from '#wire/objects/unread.ts';

interface Group {
  readonly key: ConversationKey;
  conversation: Conversation;
  readonly ids: number[];
}

/** The index built at once: each part is written in one go, because there may be tens of thousands. */
export function unreadsFromWire(
  wire: WireUnreads,
  selfId: number,
  isShown: (conversation: Conversation) => boolean,
): Unreads {
  const groups = groupsOf(wire, selfId).filter(({conversation}) => isShown(conversation));
  if (groups.length === 0) return {...noUnreads, oldMissing: wire.old_unreads_missing ?? false};
  const keys = new Map<number, ConversationKey>();
  for (const {key, ids} of groups) for (const id of ids) keys.set(id, key);
  return {
    byId: SortedMap.from([...keys].sort(([a], [b]) => a - b)),
    conversations: SortedMap.by(
      groups.map(({key, conversation, ids}) => ({key, conversation, ids: SortedSet.from(ids)})),
      ({key}) => key,
    ),
    channels: SortedMap.from(
      [...topicsByChannel(groups)].map(([channelId, topics]) => [channelId, SortedSet.from(topics)] as const),
    ),
    mentions: SortedSet.from((wire.mentions ?? []).filter((id) => keys.has(id))),
    oldMissing: wire.old_unreads_missing ?? false,
  };
}

function groupsOf(wire: WireUnreads, selfId: number): Group[] {
  const groups = new Map<ConversationKey, Group>();
  const add = (conversation: Conversation, ids: readonly number[]) => {
    const key = conversationKey(conversation);
    const group = groups.get(key);
    if (group === undefined) {
      if (ids.length > 0) groups.set(key, {key, conversation, ids: [...ids]});
      return;
    }
    // Topics that differ in case are one, spelt as in the latest message.
    if ((ids.at(-1) ?? 0) > (group.ids.at(-1) ?? 0)) group.conversation = conversation;
    group.ids.push(...ids);
    group.ids.sort((a, b) => a - b);
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

function topicsByChannel(groups: readonly Group[]): Map<number, ConversationKey[]> {
  const topics = new Map<number, ConversationKey[]>();
  for (const {key, conversation} of groups) {
    if (conversation.kind === 'direct') continue;
    const known = topics.get(conversation.channelId);
    if (known === undefined) topics.set(conversation.channelId, [key]);
    else known.push(key);
  }
  return topics;
}
