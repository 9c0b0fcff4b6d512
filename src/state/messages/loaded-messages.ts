import type {ChannelTopics, TopicSummary} from '#state/model/channel-topics.ts';
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
import type {LoadedMessages, MessageArrivals} from '#state/slices/messages.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';

export function conversationOf(message: Message): Conversation {
  return message.kind === 'channel'
    ? {kind: 'topic', channelId: message.channelId, topic: message.topic}
    : {kind: 'direct', userIds: message.userIds};
}

/** Adds or replaces messages and moves them between conversations as needed. Costs O(messages given). */
export function withMessages(messages: LoadedMessages, added: readonly Message[]): LoadedMessages {
  const changed = added.filter((message) => messages.byId.get(message.id) !== message);
  if (changed.length === 0) return messages;
  const moves: ConversationMove[] = [];
  const byId = messages.byId.edit((draft) => {
    for (const message of changed) {
      const before = draft.get(message.id);
      draft.set(message.id, message);
      if (before?.conversationKey === message.conversationKey) continue;
      if (before !== undefined) moves.push({message: before, isAdded: false});
      moves.push({message, isAdded: true});
    }
  });
  return {...messages, byId, byConversation: withMoves(messages.byConversation, moves)};
}

export function withoutMessages(messages: LoadedMessages, ids: readonly number[]): LoadedMessages {
  const removed = ids.flatMap((id) => messages.byId.get(id) ?? []);
  if (removed.length === 0) return messages;
  const byId = messages.byId.edit((draft) => {
    for (const {id} of removed) draft.delete(id);
  });
  const moves = removed.map((message) => ({message, isAdded: false}));
  return {...messages, byId, byConversation: withMoves(messages.byConversation, moves)};
}

/** Adds messages from disk, except those that are loaded already, which are at least as new. */
export function withSavedOnly(messages: LoadedMessages, added: readonly Message[]): LoadedMessages {
  const unknown = added.filter(({id}) => !messages.byId.has(id));
  if (unknown.length === 0) return messages;
  const savedOnlyIds = (messages.savedOnlyIds ?? SortedSet.empty<number>()).withAll(unknown.map(({id}) => id));
  return {...withMessages(messages, unknown), savedOnlyIds};
}

/** Marks messages as reported by the server, no longer as known from disk only. */
export function withServerConfirmed(messages: LoadedMessages, ids: readonly number[]): LoadedMessages {
  const {savedOnlyIds} = messages;
  if (savedOnlyIds === undefined || !ids.some((id) => savedOnlyIds.has(id))) return messages;
  return {...messages, savedOnlyIds: savedOnlyIds.withoutAll(ids)};
}

/** Returns a message that the server reported; undefined for one known from disk only. */
export function confirmedMessage({byId, savedOnlyIds}: LoadedMessages, id: number): Message | undefined {
  return savedOnlyIds?.has(id) === true ? undefined : byId.get(id);
}

interface ConversationMove {
  readonly message: Message;
  /** False: it left the conversation. */
  readonly isAdded: boolean;
}

/** Writes each conversation once. */
function withMoves(
  byConversation: LoadedMessages['byConversation'],
  moves: readonly ConversationMove[],
): LoadedMessages['byConversation'] {
  if (moves.length === 0) return byConversation;
  return byConversation.edit((draft) => {
    for (const [key, group] of Map.groupBy(moves, ({message}) => message.conversationKey)) {
      const idsOf = (wanted: boolean) => group.flatMap(({message, isAdded}) => (isAdded === wanted ? message.id : []));
      const ids = (draft.get(key) ?? SortedSet.empty<number>()).withoutAll(idsOf(false)).withAll(idsOf(true));
      if (ids.size === 0) draft.delete(key);
      else draft.set(key, ids);
    }
  });
}

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

function withDirectMessage(
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

/**
 * Servers assign message ids before they send the events, so events of about this many messages may arrive
 * out of order.
 */
const reorderingWindow = 100;

/** Records messages that a response brought before their events. */
export function withAwaitedMessages(arrivals: MessageArrivals, ids: readonly number[]): MessageArrivals {
  const awaited = ids.filter((id) => id > arrivals.newest - reorderingWindow && !arrivals.awaited.has(id));
  return awaited.length === 0 ? arrivals : {...arrivals, awaited: arrivals.awaited.withAll(awaited)};
}

/** Records that a message's event arrived. Costs only the entries that are removed. */
export function withArrivedMessage(arrivals: MessageArrivals, id: number): MessageArrivals {
  const newest = Math.max(arrivals.newest, id);
  const finished = arrivals.awaited.has(id) ? [id] : [];
  for (const awaitedId of arrivals.awaited) {
    if (awaitedId > newest - reorderingWindow) break;
    finished.push(awaitedId);
  }
  if (newest === arrivals.newest && finished.length === 0) return arrivals;
  return {newest, awaited: finished.length === 0 ? arrivals.awaited : arrivals.awaited.withoutAll(finished)};
}
