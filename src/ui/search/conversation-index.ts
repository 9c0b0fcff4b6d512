import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import {noUnreads} from '#state/model/unread.ts';
import {lastSenderIds} from '#state/selectors/lists/conversation-properties.ts';
import {knownConversation} from '#state/selectors/lists/known-conversations.ts';
import {conversationRowTitle, userName} from '#state/selectors/names/names.ts';
import type {AccountState, ChannelTopics, TopicSummary} from '#state/state.ts';
import {FuzzyIndex} from '#std/fuzzy-index.ts';
import {SortedMap} from '#std/sorted-map.ts';

export interface IndexedConversation {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly title: string;
  /** The newest known message of the conversation. */
  readonly lastId: number;
  readonly isUnread: boolean;
}

type IndexedSlices = Pick<
  AccountState,
  'messages' | 'directs' | 'topics' | 'unreads' | 'channels' | 'users' | 'mutedUsers' | 'realm'
>;

const noTopics = SortedMap.empty<string, TopicSummary>();

/** Search indexes of all known conversations; an update costs only the changed conversations. */
export class ConversationIndex {
  #indexedState: IndexedSlices | undefined;
  readonly byTitle = new FuzzyIndex<ConversationKey, IndexedConversation>();
  /** Topics with loaded messages, by title and the names of their last senders. */
  readonly byPeople = new FuzzyIndex<ConversationKey, IndexedConversation>();

  update(state: AccountState): void {
    for (const key of touchedKeys(this.#indexedState, state, this.byTitle.items())) this.#update(state, key);
    this.#indexedState = state;
  }

  #update(state: AccountState, key: ConversationKey): void {
    const conversation = knownConversation(state, key);
    if (conversation === undefined) {
      this.byTitle.drop(key);
      this.byPeople.drop(key);
      return;
    }
    const isUnread = state.unreads.conversations.has(key);
    const title = conversationRowTitle(state, conversation);
    const entry = {key, conversation, title, lastId: lastIdOf(state, key), isUnread};
    const before = this.byTitle.get(key);
    if (before?.title === entry.title) this.byTitle.replace(key, entry);
    else this.byTitle.put(key, entry, entry.title, headOf(entry));
    const senders = conversation.kind === 'topic' ? lastSenderIds(state, key) : [];
    const names = senders.flatMap((id) => (state.mutedUsers.has(id) ? [] : [userName(state, id)])).join(' ');
    if (names === '') this.byPeople.drop(key);
    else this.byPeople.put(key, entry, `${title} ${names}`);
  }
}

/** The offset where the topic starts in the title, so that its beginning counts as a prefix. */
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
  entries: readonly IndexedConversation[],
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
  if (seen !== undefined) for (const key of renamed(seen, state, entries)) touch(key);
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

/** Yields the conversations whose title may have changed because a channel, a user or a setting was renamed. */
function* renamed(
  seen: IndexedSlices,
  state: AccountState,
  entries: readonly IndexedConversation[],
): Generator<ConversationKey> {
  const isAllAffected = seen.realm !== state.realm || seen.mutedUsers !== state.mutedUsers;
  const [channels, users, names] = [new Set<number>(), new Set<number>(), new Set<string | undefined>()];
  state.channels.changesSince(seen.channels, (id, now, then) => {
    if (now?.name !== then?.name) channels.add(id);
  });
  state.users.changesSince(seen.users, (id, now, then) => {
    users.add(id);
    // People of one name are told apart in titles: a change of one affects the others.
    if (now?.fullName !== then?.fullName) names.add(now?.fullName).add(then?.fullName);
  });
  if (!isAllAffected && channels.size === 0 && users.size === 0) return;
  for (const {key, conversation} of entries) {
    const isAffected =
      conversation.kind === 'topic'
        ? channels.has(conversation.channelId)
        : conversation.userIds.some((id) => users.has(id) || names.has(state.users.get(id)?.fullName));
    if (isAllAffected || isAffected) yield key;
  }
}
