import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {type ConversationUnreads, noUnreads} from '#state/model/unread.ts';
import type {AccountState, TopicSummary} from '#state/state.ts';
import {SortedMap, type SortedSet} from '#std/sorted-map.ts';

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
  readonly #newest = new NewestFirst();

  constructor(kind: Conversation['kind']) {
    this.#isDirect = kind === 'direct';
  }

  /** Returns the conversations newest first, with the ids of their newest messages. */
  newestFirst(state: ConversationSlices): Iterator<KnownConversation> & Iterable<KnownConversation> {
    this.#update(state);
    return this.#newest.entries();
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
    this.#newest.edit((order) => {
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
    order: OrderDraft,
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
    if (before !== undefined) order.remove(before, key);
    if (after !== undefined) order.add(after, key);
  }
}

/** All known conversations by newest message. */
export class KnownConversations {
  readonly directs = new ConversationsOfKind('direct');
  readonly #topics = new ConversationsOfKind('topic');

  /** Returns the conversations newest first, with the ids of their newest messages. */
  *newestFirst(state: ConversationSlices): Generator<KnownConversation> {
    const [directs, topics] = [this.directs.newestFirst(state), this.#topics.newestFirst(state)];
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

interface OrderDraft {
  add(id: number, key: ConversationKey): void;
  remove(id: number, key: ConversationKey): void;
}

/**
 * A list sorted by newest message. Two conversations may have the same one for a moment after a move, so each
 * id has a list.
 */
class NewestFirst {
  #byId = SortedMap.empty<number, readonly ConversationKey[]>();

  /** Applies many changes at once: the first time these are all conversations. */
  edit(change: (order: OrderDraft) => void): void {
    this.#byId = this.#byId.edit((draft) =>
      change({
        add: (id, key) => draft.set(id, [...(draft.get(id) ?? []), key]),
        remove(id, key) {
          const remaining = (draft.get(id) ?? []).filter((other) => other !== key);
          if (remaining.length === 0) draft.delete(id);
          else draft.set(id, remaining);
        },
      }),
    );
  }

  *entries(): Generator<KnownConversation> {
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
