import {
  type Conversation,
  type ConversationKey,
  conversationFromJson,
  conversationKey,
  directConversation,
  topicConversation,
} from '#state/model/conversation.ts';
import {buildUnreads, type ConversationUnreads, noUnreads, type Unreads} from '#state/model/unread.ts';
import {isRecord} from '#std/parse-json.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {otherUserId, type WireUnreads} from '#wire/objects/channel.ts';
import {type Decoder, numberSetDecoder, savedJson} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

/** Returns only the data that the indexes are rebuilt from. */
function unreadsToSave({conversations, mentions, oldMissing}: Unreads): unknown {
  const rows = [...conversations.values()].map((row) => [row.conversation, row.ids.toArray()]);
  return {rows, mentions, oldMissing};
}

const decodeUnreads: Decoder<Unreads> = (json) => {
  if (!isRecord(json) || !Array.isArray(json.rows) || typeof json.oldMissing !== 'boolean') return undefined;
  const mentions = numberSetDecoder(json.mentions);
  const rows = json.rows.flatMap((row) => unreadRow(row) ?? []);
  if (mentions === undefined || rows.length < json.rows.length) return undefined;
  const index = buildUnreads(rows, mentions, json.oldMissing);
  // Parley never saves a message in two conversations, so a mismatch means damage.
  const count = rows.reduce((sum, {ids}) => sum + ids.size, 0);
  return index.byId.size === count && index.conversations.size === rows.length ? index : undefined;
};

const unreadRow: Decoder<ConversationUnreads> = (json) => {
  const decoded = Array.isArray(json) ? conversationFromJson(json[0]) : undefined;
  const ids = Array.isArray(json) ? numberSetDecoder(json[1]) : undefined;
  if (decoded === undefined || ids === undefined || ids.size === 0) return undefined;
  return {key: conversationKey(decoded), conversation: decoded, ids};
};

interface UnreadIdsGroup {
  readonly key: ConversationKey;
  conversation: Conversation;
  ids: number[];
}

/** Builds the unread index from the server's lists, without conversations that are not visible. */
function unreadsFromWire(
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

/** Returns the ids of the server's lists. */
export function unreadIdLists(wire: WireUnreads | undefined): readonly (readonly number[])[] {
  if (wire === undefined) return [];
  return [...wire.streams, ...wire.huddles, ...wire.pms].map(({unread_message_ids}) => unread_message_ids);
}

export const unreads: Slice<Unreads> = {
  initial: noUnreads,
  registered: fromSnapshot(['unread_msgs', 'subscriptions'], ({unread_msgs, subscriptions}, {selfId}) => {
    if (unread_msgs === undefined) return noUnreads;
    // Some servers count messages of channels that the user can no longer see: they could never be read.
    const subscribed = subscriptions && new Set(subscriptions.map(({stream_id}) => stream_id));
    const isVisible = (conversation: Conversation) =>
      conversation.kind === 'direct' || subscribed === undefined || subscribed.has(conversation.channelId);
    return unreadsFromWire(unread_msgs, selfId, isVisible);
  }),
  saved: savedJson(decodeUnreads, unreadsToSave),
  appliers: {},
};
