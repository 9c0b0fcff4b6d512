import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import {noUnreads} from '#state/model/unread.ts';
import {knownConversation} from '#state/selectors/lists/known-conversations.ts';
import {conversationRowTitle} from '#state/selectors/names/names.ts';
import type {AccountState, ChannelTopics, TopicSummary} from '#state/state.ts';
import {FuzzyIndex} from '#std/fuzzy-index.ts';
import {SortedMap} from '#std/sorted-map.ts';

export interface IndexedConversation {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly title: string;
  /** The newest message there that we know of. */
  readonly lastId: number;
  readonly isUnread: boolean;
}

type IndexedSlices = Pick<
  AccountState,
  'messages' | 'directs' | 'topics' | 'unreads' | 'channels' | 'users' | 'mutedUsers' | 'realm'
>;

const noTopics = SortedMap.empty<string, TopicSummary>();

/** All conversations we know of, ready to be searched; a change costs the conversations it is about. */
export class ConversationIndex {
  #seen: IndexedSlices | undefined;
  readonly #places = new FuzzyIndex<ConversationKey, IndexedConversation>();

  updatedIndex(state: AccountState): FuzzyIndex<ConversationKey, IndexedConversation> {
    for (const key of touchedKeys(this.#seen, state, this.#places.items())) this.#renew(state, key);
    this.#seen = state;
    return this.#places;
  }

  #renew(state: AccountState, key: ConversationKey): void {
    const conversation = knownConversation(state, key);
    if (conversation === undefined) {
      this.#places.drop(key);
      return;
    }
    const isUnread = state.unreads.conversations.has(key);
    const title = conversationRowTitle(state, conversation);
    const place = {key, conversation, title, lastId: lastIdOf(state, key), isUnread};
    const before = this.#places.get(key);
    if (before?.title === place.title) this.#places.replace(key, place);
    else this.#places.put(key, place, place.title, headOf(place));
  }
}

/** What people look for is the topic, so that its beginning counts as one. */
function headOf({conversation, title}: IndexedConversation): number {
  return conversation.kind === 'topic' ? title.indexOf(' › ') + 3 : 0;
}

function lastIdOf(state: AccountState, key: ConversationKey): number {
  const colon = key.indexOf(':');
  const listed =
    colon < 0
      ? state.directs.get(key)?.maxId
      : state.topics.get(Number(key.slice(1, colon)))?.byKey.get(key.slice(colon + 1))?.maxId;
  const loaded = state.messages.byConversation.get(key)?.last();
  const unread = state.unreads.conversations.get(key)?.ids.last();
  return Math.max(listed ?? 0, loaded ?? 0, unread ?? 0);
}

function touchedKeys(
  seen: IndexedSlices | undefined,
  state: AccountState,
  places: readonly IndexedConversation[],
): ReadonlySet<ConversationKey> {
  const keys = new Set<ConversationKey>();
  const touch = (key: ConversationKey) => keys.add(key);
  const before = seen ?? {directs: SortedMap.empty(), topics: SortedMap.empty(), unreads: noUnreads};
  state.messages.byConversation.changesSince(seen?.messages.byConversation ?? SortedMap.empty(), touch);
  state.directs.changesSince(before.directs, touch);
  state.unreads.conversations.changesSince(before.unreads.conversations, touch);
  state.topics.changesSince(before.topics, (channelId, now, then) => {
    for (const key of changedTopics(channelId, now, then)) touch(key);
  });
  if (seen !== undefined) for (const key of renamed(seen, state, places)) touch(key);
  return keys;
}

function changedTopics(
  channelId: number,
  now: ChannelTopics | undefined,
  then: ChannelTopics | undefined,
): readonly ConversationKey[] {
  const keys: ConversationKey[] = [];
  (now?.byKey ?? noTopics).changesSince(then?.byKey ?? noTopics, (topic) => {
    keys.push(topicConversationKey(channelId, topic));
  });
  return keys;
}

/** Places whose title may have become another one because somebody or something is called otherwise now. */
function* renamed(
  seen: IndexedSlices,
  state: AccountState,
  places: readonly IndexedConversation[],
): Generator<ConversationKey> {
  const everything = seen.realm !== state.realm || seen.mutedUsers !== state.mutedUsers;
  const [channels, users] = [new Set<number>(), new Set<number>()];
  state.channels.changesSince(seen.channels, (id, now, then) => {
    if (now?.name !== then?.name) channels.add(id);
  });
  state.users.changesSince(seen.users, (id) => users.add(id));
  if (!everything && channels.size === 0 && users.size === 0) return;
  for (const {key, conversation} of places) {
    const isAffected =
      conversation.kind === 'topic'
        ? channels.has(conversation.channelId)
        : conversation.userIds.some((id) => users.has(id));
    if (everything || isAffected) yield key;
  }
}
