import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {type ConversationUnreads, noUnreads} from '#state/model/unread.ts';
import type {AccountState, ChannelTopics, TopicSummary} from '#state/state.ts';
import {SortedMap, type SortedSet} from '#std/sorted-map.ts';

/** The newest message of a conversation, by source. */
interface ConversationSources {
  loaded?: number;
  listed?: number;
  unread?: number;
}

type ConversationSlices = Pick<AccountState, 'messages' | 'directs' | 'topics' | 'unreads'>;

const emptySlices: ConversationSlices = {
  messages: {byId: SortedMap.empty(), byConversation: SortedMap.empty()},
  directs: SortedMap.empty(),
  topics: SortedMap.empty(),
  unreads: noUnreads,
};
const noTopics = SortedMap.empty<string, TopicSummary>();

/**
 * All known conversations by newest message: loaded, listed by the server, or unread.
 *
 * Updated with the changes since the last call, so that neither a message nor a call costs O(conversations).
 */
export class KnownConversations {
  #slices: ConversationSlices = emptySlices;
  readonly #sources = new Map<ConversationKey, ConversationSources>();
  readonly #directs = new NewestFirst();
  readonly #topics = new NewestFirst();

  /** Returns the conversations newest first, with the ids of their newest messages. */
  *newestFirst(state: ConversationSlices): Generator<[key: ConversationKey, lastId: number]> {
    this.#update(state);
    const [directs, topics] = [this.#directs.entries(), this.#topics.entries()];
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

  *newestDirects(state: ConversationSlices): Generator<[key: ConversationKey, lastId: number]> {
    this.#update(state);
    yield* this.#directs.entries();
  }

  /** Returns the direct conversations with unread messages. Costs these alone, where they are few of many. */
  newestUnreadDirects(state: ConversationSlices): readonly [key: ConversationKey, lastId: number][] {
    this.#update(state);
    // The keys of direct conversations sort after those of topics.
    const unread = [...state.unreads.conversations.keys('d')];
    return unread
      .map((key): [ConversationKey, number] => [key, newestOf(this.#sources.get(key)) ?? -1])
      .sort(([, a], [, b]) => b - a);
  }

  #update(state: ConversationSlices): void {
    const {messages, directs, topics, unreads} = this.#slices;
    this.#slices = state;
    state.messages.byConversation.changesSince(messages.byConversation, (key, after) => {
      this.#setNewest(key, 'loaded', after?.last());
    });
    state.directs.changesSince(directs, (key, after) => this.#setNewest(key, 'listed', after?.maxId));
    state.unreads.conversations.changesSince(unreads.conversations, (key, after) => {
      this.#setNewest(key, 'unread', after?.ids.last());
    });
    state.topics.changesSince(topics, (channelId, after, before) => this.#setTopics(channelId, after, before));
  }

  #setTopics(channelId: number, after: ChannelTopics | undefined, before: ChannelTopics | undefined): void {
    (after?.byKey ?? noTopics).changesSince(before?.byKey ?? noTopics, (topic, listed) => {
      this.#setNewest(topicConversationKey(channelId, topic), 'listed', listed?.maxId);
    });
  }

  #setNewest(key: ConversationKey, source: keyof ConversationSources, lastId: number | undefined): void {
    const known = this.#sources.get(key);
    const before = newestOf(known);
    const sources: ConversationSources = {...known};
    if (lastId === undefined) delete sources[source];
    else sources[source] = lastId;
    const after = newestOf(sources);
    if (after === undefined) this.#sources.delete(key);
    else this.#sources.set(key, sources);
    if (after === before) return;
    const order = key.startsWith('d') ? this.#directs : this.#topics;
    if (before !== undefined) order.remove(before, key);
    if (after !== undefined) order.add(after, key);
  }
}

function newestOf(sources: ConversationSources | undefined): number | undefined {
  if (sources === undefined) return undefined;
  const newest = Math.max(sources.loaded ?? -1, sources.listed ?? -1, sources.unread ?? -1);
  return newest < 0 ? undefined : newest;
}

/**
 * A list sorted by newest message. Two conversations may have the same one for a moment after a move, so each
 * id has a list.
 */
class NewestFirst {
  #byId = SortedMap.empty<number, readonly ConversationKey[]>();

  add(id: number, key: ConversationKey): void {
    this.#byId = this.#byId.with(id, [...(this.#byId.get(id) ?? []), key]);
  }

  remove(id: number, key: ConversationKey): void {
    const remaining = (this.#byId.get(id) ?? []).filter((other) => other !== key);
    this.#byId = remaining.length === 0 ? this.#byId.without(id) : this.#byId.with(id, remaining);
  }

  *entries(): Generator<[key: ConversationKey, lastId: number]> {
    // The loop reads an immutable version: changes made meanwhile appear in the next call.
    for (const [id, keys] of this.#byId.entriesReversed()) for (const key of keys) yield [key, id];
  }
}

/** Returns the conversation of a key from the best source: loaded messages have the latest spelling of a topic. */
export function knownConversation(state: AccountState, key: ConversationKey): Conversation | undefined {
  return (
    loadedConversation(state, state.messages.byConversation.get(key)) ??
    unreadConversation(state.unreads.conversations.get(key)) ??
    listedConversation(state, key)
  );
}

function loadedConversation({messages}: AccountState, ids: SortedSet<number> | undefined): Conversation | undefined {
  const newest = ids?.last();
  const message = newest === undefined ? undefined : messages.byId.get(newest);
  if (message === undefined) return undefined;
  return message.kind === 'channel'
    ? topicConversation(message.channelId, message.topic)
    : {kind: 'direct', userIds: message.userIds};
}

function unreadConversation(unread: ConversationUnreads | undefined): Conversation | undefined {
  return unread?.conversation;
}

function listedConversation({directs, topics}: AccountState, key: ConversationKey): Conversation | undefined {
  const direct = directs.get(key);
  if (direct !== undefined) return {kind: 'direct', userIds: direct.userIds};
  const colon = key.indexOf(':');
  const channelId = Number(key.slice(1, colon));
  const topic = topics.get(channelId)?.byKey.get(key.slice(colon + 1));
  return topic === undefined ? undefined : topicConversation(channelId, topic.name);
}
