import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {TopicSummary} from '#state/model/channel-topics.ts';
import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  type DirectConversation,
  type TopicConversation,
  topicConversation,
  topicConversationKey,
} from '#state/model/conversation.ts';
import {noUnreads} from '#state/model/unread.ts';
import {conversationRowTitle, isResolved, topicDisplayName} from '#state/selectors/names/names.ts';
import {countedUnreads, mentionCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {memoByObject, memoBySlicesAndArgument, reuseIfEqual} from '#std/memo.ts';
import {type MapDraft, SortedMap} from '#std/sorted-map.ts';
import {
  hasParticipated,
  isConversationFollowed,
  isConversationMuted,
  lastSenderIds,
} from './conversation-properties.ts';

/** The newest message of a conversation, by source. */
interface ConversationSources {
  loaded?: number;
  listed?: number;
  unread?: number;
}

type KnownConversation = [key: ConversationKey, lastId: number];

type ConversationSlices = Pick<AccountState, 'messages' | 'directs' | 'topics' | 'unreads'>;

const emptySlices: ConversationSlices = {
  messages: {byId: SortedMap.empty(), byConversation: SortedMap.empty()},
  directs: SortedMap.empty(),
  topics: SortedMap.empty(),
  unreads: noUnreads,
};
const noTopics = SortedMap.empty<string, TopicSummary>();

/**
 * All known conversations of one kind by newest message: loaded, listed by the server, or unread.
 *
 * Updated with the changes since the last call, so that neither a message nor a call costs O(conversations). Direct
 * conversations are separate, because every frame shows some of them: the first frame need not sort all topics.
 */
class ConversationsOfKind {
  readonly #isDirect: boolean;
  #slices: ConversationSlices = emptySlices;
  readonly #sources = new Map<ConversationKey, ConversationSources>();
  /** By newest message. Two conversations may have the same one for a moment after a move, so each id has a list. */
  #byNewest = SortedMap.empty<number, readonly ConversationKey[]>();

  constructor(kind: Conversation['kind']) {
    this.#isDirect = kind === 'direct';
  }

  /** Returns the conversations newest first, with the ids of their newest messages. */
  *newestFirst(state: ConversationSlices): Generator<KnownConversation> {
    this.#update(state);
    // The loop reads an immutable version: changes made meanwhile appear in the next call.
    for (const [id, keys] of this.#byNewest.entriesReversed()) for (const key of keys) yield [key, id];
  }

  /** Returns those with unread messages. Costs these alone, where they are few of many. */
  newestUnread(state: ConversationSlices): readonly KnownConversation[] {
    this.#update(state);
    // The keys of direct conversations sort after those of topics.
    const unread = [...state.unreads.conversations.keys(this.#isDirect ? 'd' : undefined)].filter((key) =>
      this.#has(key),
    );
    return unread
      .map((key): KnownConversation => [key, newestOf(this.#sources.get(key)) ?? -1])
      .sort(([, a], [, b]) => b - a);
  }

  #has(key: ConversationKey): boolean {
    return key.startsWith('d') === this.#isDirect;
  }

  #update(state: ConversationSlices): void {
    const {messages, directs, topics, unreads} = this.#slices;
    this.#slices = state;
    // Many changes at once: the first time these are all conversations.
    this.#byNewest = this.#byNewest.edit((order) => {
      const set = (key: ConversationKey, source: keyof ConversationSources, lastId: number | undefined) => {
        if (this.#has(key)) this.#setNewest(order, key, source, lastId);
      };
      state.messages.byConversation.changesSince(messages.byConversation, (key, after) => {
        set(key, 'loaded', after?.last());
      });
      state.unreads.conversations.changesSince(unreads.conversations, (key, after) => {
        set(key, 'unread', after?.ids.last());
      });
      if (this.#isDirect) state.directs.changesSince(directs, (key, after) => set(key, 'listed', after?.maxId));
      else
        state.topics.changesSince(topics, (channelId, after, before) =>
          (after?.byKey ?? noTopics).changesSince(before?.byKey ?? noTopics, (topic, listed) => {
            set(topicConversationKey(channelId, topic), 'listed', listed?.maxId);
          }),
        );
    });
  }

  #setNewest(
    order: MapDraft<number, readonly ConversationKey[]>,
    key: ConversationKey,
    source: keyof ConversationSources,
    lastId: number | undefined,
  ): void {
    const known = this.#sources.get(key);
    const before = newestOf(known);
    const sources: ConversationSources = {...known};
    if (lastId === undefined) delete sources[source];
    else sources[source] = lastId;
    const after = newestOf(sources);
    if (after === undefined) this.#sources.delete(key);
    else this.#sources.set(key, sources);
    if (after === before) return;
    if (before !== undefined) {
      const remaining = (order.get(before) ?? []).filter((other) => other !== key);
      if (remaining.length === 0) order.delete(before);
      else order.set(before, remaining);
    }
    if (after !== undefined) order.set(after, [...(order.get(after) ?? []), key]);
  }
}

/** All known conversations by newest message. */
class KnownConversations {
  readonly directs = new ConversationsOfKind('direct');
  readonly #topics = new ConversationsOfKind('topic');

  /** Returns the conversations newest first, with the ids of their newest messages. */
  *newestFirst(state: ConversationSlices): Generator<KnownConversation> {
    const directs = this.directs.newestFirst(state);
    const topics = this.#topics.newestFirst(state);
    let [direct, topic] = [directs.next(), topics.next()];
    while (!direct.done || !topic.done) {
      if (topic.done || (!direct.done && direct.value[1] >= topic.value[1])) {
        if (!direct.done) yield direct.value;
        direct = directs.next();
      } else {
        yield topic.value;
        topic = topics.next();
      }
    }
  }
}

function newestOf(sources: ConversationSources | undefined): number | undefined {
  if (sources === undefined) return undefined;
  const newest = Math.max(sources.loaded ?? -1, sources.listed ?? -1, sources.unread ?? -1);
  return newest < 0 ? undefined : newest;
}

/** Returns the conversation of a key from the best source: loaded messages have the latest spelling of a topic. */
export function knownConversation(state: AccountState, key: ConversationKey): Conversation | undefined {
  const {messages, unreads} = state;
  const newest = messages.byId.get(messages.byConversation.get(key)?.last() ?? -1);
  if (newest !== undefined) return conversationOf(newest);
  return unreads.conversations.get(key)?.conversation ?? listedConversation(state, key);
}

function listedConversation({directs, topics}: AccountState, key: ConversationKey): Conversation | undefined {
  const direct = directs.get(key);
  if (direct !== undefined) return {kind: 'direct', userIds: direct.userIds};
  const colon = key.indexOf(':');
  const channelId = Number(key.slice(1, colon));
  const topic = topics.get(channelId)?.byKey.get(key.slice(colon + 1));
  return topic === undefined ? undefined : topicConversation(channelId, topic.name);
}

export interface RecentRow {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly title: string;
  readonly lastMessageId: number;
  /** UNIX seconds; undefined until that message is loaded. */
  readonly lastAt: number | undefined;
  /** The last senders, newest first, among loaded messages. */
  readonly participants: readonly number[];
  readonly unreadCount: number;
  /** Number of unread messages that mention the user. */
  readonly mentions: number;
  readonly isMuted: boolean;
  readonly isFollowed: boolean;
  readonly isResolved: boolean;
}

export interface RecentFilter {
  readonly unread?: boolean;
  /** Only conversations where the user wrote, among loaded messages. */
  readonly participated?: boolean;
  readonly unmuted?: boolean;
  readonly kind?: Conversation['kind'];
}

const knownConversations = memoByObject((_self: object) => new KnownConversations());
const lastRows = memoByObject((_self: object) => new Map<ConversationKey, RecentRow>());

/**
 * Returns the newest conversations, at most `limit`. Costs O(rows returned and filtered out), never all conversations.
 */
export function recentConversations(state: AccountState, filter: RecentFilter = {}, limit = 200): readonly RecentRow[] {
  const result: RecentRow[] = [];
  const mentions = mentionCounts(state);
  const unreads = countedUnreads(state);
  for (const [key, lastId] of newestConversations(state, filter)) {
    if (result.length >= limit) break;
    if (filter.unread === true && !unreads.conversations.has(key)) continue;
    if (filter.participated === true && !hasParticipated(state, key)) continue;
    if (filter.kind === 'topic' && key.startsWith('d')) continue;
    const conversation = knownConversation(state, key);
    if (conversation === undefined) continue;
    if (filter.unmuted === true && isConversationMuted(state, conversation, key)) continue;
    result.push(rowOf(state, key, conversation, lastId, mentions.get(key) ?? 0));
  }
  return result;
}

/** Returns the row of a direct conversation, also of one without messages. */
export function directConversationRow(state: AccountState, conversation: DirectConversation): RecentRow {
  const key = conversationKey(conversation);
  const lastId = state.directs.get(key)?.maxId ?? state.messages.byConversation.get(key)?.last() ?? 0;
  return rowOf(state, key, conversation, lastId, mentionCounts(state).get(key) ?? 0);
}

function newestConversations(
  state: AccountState,
  {kind, unread}: RecentFilter,
): Iterable<[key: ConversationKey, lastId: number]> {
  const known = knownConversations(state.self);
  if (kind !== 'direct') return known.newestFirst(state);
  const {directs} = known;
  return unread === true ? directs.newestUnread(state) : directs.newestFirst(state);
}

/** Returns the direct conversations, newest first. */
export function recentDirectConversations(state: AccountState, limit = 1000): readonly RecentRow[] {
  return recentConversations(state, {kind: 'direct'}, limit);
}

function rowOf(
  state: AccountState,
  key: ConversationKey,
  conversation: Conversation,
  lastMessageId: number,
  mentions: number,
): RecentRow {
  const rows = lastRows(state.self);
  const before = rows.get(key);
  const row = reuseIfEqual(before, {
    key,
    conversation:
      before !== undefined && isSame(before.conversation, conversation) ? before.conversation : conversation,
    title: conversationRowTitle(state, conversation),
    lastMessageId,
    lastAt: state.messages.byId.get(lastMessageId)?.timestamp,
    participants: lastSenderIds(state, key),
    unreadCount: countedUnreads(state).conversations.get(key)?.ids.size ?? 0,
    mentions,
    isMuted: isConversationMuted(state, conversation, key),
    isFollowed: isConversationFollowed(state, conversation, key),
    isResolved: conversation.kind === 'topic' && isResolved(conversation.topic),
  });
  rows.set(key, row);
  return row;
}

/** Compares conversations with equal keys, which can differ only in the spelling of the topic. */
function isSame(a: Conversation, b: Conversation): boolean {
  return a.kind === 'direct' || b.kind === 'direct' || a.topic === b.topic;
}

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
    const counted = countedUnreads(state).conversations;
    const mentions = mentionCounts(state);
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
