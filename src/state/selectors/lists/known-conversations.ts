import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {type ConversationUnreads, noUnreads} from '#state/model/unread.ts';
import type {AccountState, ChannelTopics, TopicSummary} from '#state/state.ts';
import {SortedMap, type SortedSet} from '#std/sorted-map.ts';

/** Where we know of conversations from, each with its newest message. */
interface ConversationSources {
  loaded?: number;
  listed?: number;
  unread?: number;
}

type ConversationSlices = Pick<AccountState, 'messages' | 'directs' | 'topics' | 'unreads'>;

const nothing: ConversationSlices = {
  messages: {byId: SortedMap.empty(), byConversation: SortedMap.empty()},
  directs: SortedMap.empty(),
  topics: SortedMap.empty(),
  unreads: noUnreads,
};
const noTopics = SortedMap.empty<string, TopicSummary>();

/**
 * All conversations we know of, by their newest message: what is loaded, what the server listed, what is unread.
 *
 * Kept up to date by what changed since it was last asked, so that neither a message nor a look costs all of them.
 */
export class KnownConversations {
  #seen: ConversationSlices = nothing;
  readonly #sources = new Map<ConversationKey, ConversationSources>();
  readonly #directs = new NewestFirst();
  readonly #topics = new NewestFirst();

  /** Newest first, with the id of the newest message. */
  *newestFirst(state: ConversationSlices): Generator<[key: ConversationKey, lastId: number]> {
    this.#catchUp(state);
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
    this.#catchUp(state);
    yield* this.#directs.entries();
  }

  #catchUp(state: ConversationSlices): void {
    const {messages, directs, topics, unreads} = this.#seen;
    this.#seen = state;
    state.messages.byConversation.changesSince(messages.byConversation, (key, now) => {
      this.#note(key, 'loaded', now?.last());
    });
    state.directs.changesSince(directs, (key, now) => this.#note(key, 'listed', now?.maxId));
    state.unreads.conversations.changesSince(unreads.conversations, (key, now) => {
      this.#note(key, 'unread', now?.ids.last());
    });
    state.topics.changesSince(topics, (channelId, now, then) => this.#noteTopics(channelId, now, then));
  }

  #noteTopics(channelId: number, now: ChannelTopics | undefined, then: ChannelTopics | undefined): void {
    const [after, before] = [now?.byKey ?? noTopics, then?.byKey ?? noTopics];
    after.changesSince(before, (topic, listed) => {
      this.#note(topicConversationKey(channelId, topic), 'listed', listed?.maxId);
    });
  }

  #note(key: ConversationKey, source: keyof ConversationSources, lastId: number | undefined): void {
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

/** Two may claim the same message for a moment, when it was moved: the list holds all who do. */
class NewestFirst {
  #byId = SortedMap.empty<number, readonly ConversationKey[]>();

  add(id: number, key: ConversationKey): void {
    this.#byId = this.#byId.with(id, [...(this.#byId.get(id) ?? []), key]);
  }

  remove(id: number, key: ConversationKey): void {
    const left = (this.#byId.get(id) ?? []).filter((other) => other !== key);
    this.#byId = left.length === 0 ? this.#byId.without(id) : this.#byId.with(id, left);
  }

  *entries(): Generator<[key: ConversationKey, lastId: number]> {
    // A version of its own: what changes meanwhile is for the next look.
    for (const [id, keys] of this.#byId.entriesReversed()) for (const key of keys) yield [key, id];
  }
}

/** The conversation of a key, by whoever knows it: messages have the latest spelling of a topic. */
export function knownConversation(state: AccountState, key: ConversationKey): Conversation | undefined {
  return (
    loadedConversation(state, state.messages.byConversation.get(key)) ??
    unreadConversation(state.unreads.conversations.get(key)) ??
    listedConversation(state, key)
  );
}

function loadedConversation(
  {messages}: AccountState,
  ids: SortedSet<number> | undefined,
): Conversation | undefined {
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
