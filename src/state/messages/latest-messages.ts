import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  topicConversationKey,
  topicKey,
} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationNarrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState, ChannelTopics, TopicSummary} from '#state/state.ts';
import {SortedMap, type SortedSet} from '#std/sorted-map.ts';

/*
 * The newest message of each topic and each direct conversation. Which message came before the newest is known only
 * where it is loaded, so after a deletion or a move the id may be a guess that is too high.
 */

type LatestSlices = Pick<AccountState, 'topics' | 'directs'>;

const noTopics: ChannelTopics = {byKey: SortedMap.empty(), complete: false};

/** Records a message of a topic. The topic keeps the spelling of its latest message. */
export function withTopicMessage(
  topics: AccountState['topics'],
  channelId: number,
  name: string,
  id: number,
): AccountState['topics'] {
  const known = topics.get(channelId) ?? noTopics;
  const key = topicKey(name);
  const before = known.byKey.get(key);
  if (before !== undefined && (before.maxId > id || (before.maxId === id && before.name === name))) return topics;
  return topics.with(channelId, {...known, byKey: known.byKey.with(key, {name, maxId: id})});
}

export function withDirectMessage(
  directs: AccountState['directs'],
  userIds: readonly number[],
  key: ConversationKey,
  id: number,
): AccountState['directs'] {
  return (directs.get(key)?.maxId ?? -1) >= id ? directs : directs.with(key, {userIds, maxId: id});
}

/** Records the newest message of each conversation among `messages`. */
export function withLatestMessages(latest: LatestSlices, messages: readonly Message[]): LatestSlices {
  const newest = new Map<ConversationKey, Message>();
  for (const message of messages) {
    const other = newest.get(message.conversationKey);
    if (other === undefined || other.id < message.id) newest.set(message.conversationKey, message);
  }
  let {topics, directs} = latest;
  for (const message of newest.values()) {
    if (message.kind === 'channel') {
      topics = withTopicMessage(topics, message.channelId, message.topic, message.id);
    } else {
      directs = withDirectMessage(directs, message.userIds, message.conversationKey, message.id);
    }
  }
  return {topics, directs};
}

/**
 * Recomputes the newest message of a conversation that messages were removed from. When no other message of
 * it is known, the old value stays, unless the conversation is known to be empty. Call it when messages,
 * unreads and timelines are up to date.
 */
export function withoutLatestMessages(
  state: AccountState,
  conversation: Conversation,
  removedIds: {has(id: number): boolean},
): LatestSlices {
  return conversation.kind === 'topic'
    ? {
        topics: withoutTopicMessages(state, conversation.channelId, conversation.topic, removedIds),
        directs: state.directs,
      }
    : {topics: state.topics, directs: withoutDirectMessages(state, conversation, removedIds)};
}

function withoutTopicMessages(
  state: AccountState,
  channelId: number,
  topic: string,
  removedIds: {has(id: number): boolean},
): AccountState['topics'] {
  const known = state.topics.get(channelId);
  const before = known?.byKey.get(topicKey(topic));
  if (known === undefined || before === undefined || !removedIds.has(before.maxId)) return state.topics;
  const maxId = newestKnown(state, topicConversationKey(channelId, topic));
  if (maxId !== undefined) return withTopic(state.topics, channelId, {name: before.name, maxId});
  if (isKnownEmpty(state, {kind: 'topic', channelId, topic})) return withoutTopic(state.topics, channelId, topic);
  // Whether the topic still exists is unknown: the session fetches the list again.
  const topics = state.topics.with(channelId, {...known, complete: false, completeUntil: undefined});
  return withTopic(topics, channelId, {name: before.name, maxId: newestBelow(before.maxId, removedIds)});
}

function newestBelow(id: number, removedIds: {has(id: number): boolean}): number {
  let newest = id - 1;
  while (removedIds.has(newest)) newest--;
  return newest;
}

function withTopic(topics: AccountState['topics'], channelId: number, topic: TopicSummary): AccountState['topics'] {
  const known = topics.get(channelId) ?? noTopics;
  return topics.with(channelId, {...known, byKey: known.byKey.with(topicKey(topic.name), topic)});
}

/** Removes a topic of which no message can be left. */
export function withoutTopic(topics: AccountState['topics'], channelId: number, topic: string): AccountState['topics'] {
  const known = topics.get(channelId);
  if (known === undefined || !known.byKey.has(topicKey(topic))) return topics;
  return topics.with(channelId, {...known, byKey: known.byKey.without(topicKey(topic))});
}

function withoutDirectMessages(
  state: AccountState,
  conversation: Conversation,
  removedIds: {has(id: number): boolean},
): AccountState['directs'] {
  const key = conversationKey(conversation);
  const before = state.directs.get(key);
  if (before === undefined || !removedIds.has(before.maxId)) return state.directs;
  if (isKnownEmpty(state, conversation)) return state.directs.without(key);
  const {userIds} = before;
  const last = knownTimeline(state, conversation)?.ids.last();
  if (last !== undefined) return state.directs.with(key, {userIds, maxId: last});
  const maxId = newestKnown(state, key) ?? before.maxId;
  if (before.isGuess && maxId === before.maxId) return state.directs;
  return state.directs.with(key, {userIds, maxId, isGuess: true});
}

function newestKnown({messages, unreads}: AccountState, key: ConversationKey): number | undefined {
  const loaded = lastOf(messages.byConversation.get(key));
  const unread = lastOf(unreads.conversations.get(key)?.ids);
  const newest = Math.max(loaded, unread);
  return newest < 0 ? undefined : newest;
}

function lastOf(ids: SortedSet<number> | undefined): number {
  return ids?.last() ?? -1;
}

function isKnownEmpty(state: AccountState, conversation: Conversation): boolean {
  const timeline = knownTimeline(state, conversation);
  return timeline?.ids.size === 0 && timeline.hasOldest;
}

/** Returns the timeline of a conversation, if it reaches to the newest message. */
function knownTimeline({timelines}: AccountState, conversation: Conversation): Timeline | undefined {
  const timeline = timelines.get(narrowKey(conversationNarrow(conversation)));
  return timeline?.hasNewest === true && !timeline.isStale ? timeline : undefined;
}
