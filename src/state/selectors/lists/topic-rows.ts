import {
  type ConversationKey,
  type TopicConversation,
  topicConversation,
  topicConversationKey,
} from '#state/model/conversation.ts';
import {isResolved, topicDisplayName} from '#state/selectors/names/names.ts';
import {countedUnreads} from '#state/selectors/unreads/counted-unreads.ts';
import {mentionCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlicesAndArgument} from '#std/memo.ts';
import {isConversationFollowed, isConversationMuted} from './conversation-properties.ts';

export interface TopicRow {
  readonly key: ConversationKey;
  readonly conversation: TopicConversation;
  /** The name shown, without the resolved mark. */
  readonly display: string;
  readonly lastMessageId: number;
  readonly unreadCount: number;
  /** Number of unread messages that mention the user. */
  readonly mentions: number;
  readonly isMuted: boolean;
  readonly isFollowed: boolean;
  readonly isResolved: boolean;
}

/** Returns the known topics of a channel, newest first, muted ones last. */
export const topicRows = memoBySlicesAndArgument(
  ['topics', 'messages', 'unreads', 'channels', 'userTopics', 'subscriptions', 'mutedUsers', 'realm'],
  (state: AccountState, channelId: number): readonly TopicRow[] => {
    const [counted, mentions] = [countedUnreads(state).conversations, mentionCounts(state)];
    const rows: TopicRow[] = [];
    for (const [key, {name, lastId}] of knownTopics(state, channelId)) {
      const conversation = topicConversation(channelId, name);
      rows.push({
        key,
        conversation,
        display: topicDisplayName(state, name),
        lastMessageId: lastId,
        unreadCount: counted.get(key)?.ids.size ?? 0,
        mentions: mentions.get(key) ?? 0,
        isMuted: isConversationMuted(state, conversation, key),
        isFollowed: isConversationFollowed(state, conversation, key),
        isResolved: isResolved(name),
      });
    }
    return rows.sort((a, b) => Number(a.isMuted) - Number(b.isMuted) || b.lastMessageId - a.lastMessageId);
  },
);

interface KnownTopic {
  readonly name: string;
  readonly lastId: number;
}

/** Collects topics that are listed by the server, loaded or unread, with the spelling of the newest message. */
function knownTopics(state: AccountState, channelId: number): Map<ConversationKey, KnownTopic> {
  const known = new Map<ConversationKey, KnownTopic>();
  const add = (key: ConversationKey, name: string, lastId: number) => {
    const before = known.get(key);
    if (before === undefined || lastId >= before.lastId) known.set(key, {name, lastId});
  };
  for (const {name, maxId} of state.topics.get(channelId)?.byKey.values() ?? []) {
    add(topicConversationKey(channelId, name), name, maxId);
  }
  for (const key of state.unreads.channels.get(channelId) ?? []) {
    const unread = state.unreads.conversations.get(key);
    if (unread?.conversation.kind === 'topic') add(key, unread.conversation.topic, unread.ids.last() ?? 0);
  }
  const prefix = `c${channelId}:`;
  for (const [key, ids] of state.messages.byConversation.entries(prefix)) {
    if (!key.startsWith(prefix)) break;
    const lastId = ids.last() ?? 0;
    const message = state.messages.byId.get(lastId);
    if (message?.kind === 'channel') add(key, message.topic, lastId);
  }
  return known;
}

/** Returns whether the topic has messages; undefined when that is unknown. */
export function topicExists(state: AccountState, channelId: number, topic: string): boolean | undefined {
  const key = topicConversationKey(channelId, topic);
  const topics = state.topics.get(channelId);
  if (state.messages.byConversation.has(key) || state.unreads.conversations.has(key)) return true;
  if (topics?.byKey.has(topic.toLowerCase()) === true) return true;
  return topics?.complete === true ? false : undefined;
}
