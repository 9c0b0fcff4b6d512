import type {ChannelTopics, TopicSummary} from '#state/model/channel-topics.ts';
import {type Conversation, type ConversationKey, topicConversationKey} from '#state/model/conversation.ts';
import {conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import {noUnreads} from '#state/model/unread.ts';
import {lastSenderIds} from '#state/selectors/lists/conversation-properties.ts';
import {knownConversation} from '#state/selectors/lists/conversation-rows.ts';
import {conversationRowTitle, userName} from '#state/selectors/names/names.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import type {AccountState} from '#state/state.ts';
import {matchScores} from '#std/fuzzy.ts';
import {type FuzzyFindOptions, FuzzyIndex, type FuzzyResult} from '#std/fuzzy-index.ts';
import {memoByObject} from '#std/memo.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {messagesView} from '#ui/core/frame.ts';
import {viewTitle} from '#ui/format/conversation-name.ts';
import {buildPeopleIndexes} from './find-people.ts';

/** A match of people ranks below the words of a title, and above parts of words. */
const peoplePenalty = matchScores.word - matchScores.words;

interface ConversationSearch {
  readonly query: string;
  readonly limit: number;
  /** Visited conversations, latest first: frequent destinations rank higher. */
  readonly visits?: readonly ConversationKey[] | undefined;
  readonly remap?: ((text: string) => string) | undefined;
  readonly kind?: 'topic' | 'direct';
}

/** Returns conversations by name, best first: by match, then by recent visits, messages and whether they are unread. */
export function findConversations(
  state: AccountState,
  search: ConversationSearch,
): readonly FuzzyResult<IndexedConversation>[] {
  const {query, limit, visits = [], remap, kind} = search;
  const ranks = new Map(visits.map((key, rank) => [key, rank]));
  const newest = Math.max(1, state.maxMessageId);
  const boost = ({key, lastId, isUnread}: IndexedConversation) => {
    const rank = ranks.get(key);
    const visited = rank === undefined ? 0 : 50 / (1 + rank / 10);
    return visited + (30 * lastId) / newest + (isUnread ? 15 : 0);
  };
  // `channel>topic` and `channel topic` mean the same.
  const text = query.replaceAll(/[>›]/g, ' ');
  const index = updatedIndex(state);
  const options = {limit: kind === undefined ? limit : 4 * limit, boost, remap};
  const found = index.byTitle.find(text, options);
  const matches = kind === undefined ? found : found.filter(({item}) => item.conversation.kind === kind);
  const wanted = kind === 'direct' ? [] : matchesOfPeople(index, text, options);
  return withPeople(matches, wanted).slice(0, limit);
}

type Match = FuzzyResult<IndexedConversation>;

/** Returns topics whose title does not match without the names of the people who wrote there last. */
function matchesOfPeople(
  index: ConversationIndex,
  text: string,
  options: FuzzyFindOptions<IndexedConversation>,
): readonly Match[] {
  const found = index.byPeople.find(text, {...options, floor: matchScores.words});
  return found.map((match) => ({
    ...match,
    score: match.score - peoplePenalty,
    ranges: match.ranges.filter(([, end]) => end <= match.item.title.length),
  }));
}

function withPeople(matches: readonly Match[], others: readonly Match[]): readonly Match[] {
  const good = new Set(matches.flatMap(({item, score}) => (score >= matchScores.inside ? [item.key] : [])));
  const added = others.filter(({item}) => !good.has(item.key));
  if (added.length === 0) return matches;
  const replaced = new Set(added.map(({item}) => item.key));
  return [...matches.filter(({item}) => !replaced.has(item.key)), ...added].sort((a, b) => b.score - a.score);
}

/** Builds the indexes ahead of the first search and the first mention. */
export function buildSearchIndexes(state: AccountState): void {
  updatedIndex(state);
  buildPeopleIndexes(state);
}

interface IndexedConversation {
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

const indexOf = memoByObject((_self: AccountState['self']) => new ConversationIndex());

function updatedIndex(state: AccountState): ConversationIndex {
  const index = indexOf(state.self);
  index.update(state);
  return index;
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

/**
 * Yields the conversations whose title, or the names of whose last senders, may have changed because a channel, a user or a
 * setting was renamed.
 */
function* renamed(
  seen: IndexedSlices,
  state: AccountState,
  entries: readonly IndexedConversation[],
): Generator<ConversationKey> {
  const isAllAffected = seen.realm !== state.realm || seen.mutedUsers !== state.mutedUsers;
  const channels = new Set<number>();
  const users = new Set<number>();
  const names = new Set<string | undefined>();
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
        ? channels.has(conversation.channelId) || lastSenderIds(state, key).some((id) => users.has(id))
        : conversation.userIds.some((id) => users.has(id) || names.has(state.users.get(id)?.fullName));
    if (isAllAffected || isAffected) yield key;
  }
}

/** What a link to a conversation or message leads to, or the reason why it leads nowhere. */
export type FoundLink =
  | {readonly title: string; readonly detail: string; readonly narrow: Narrow}
  | {readonly problem: string};

const linkText = /^(?:https?:\/\/\S*)?#narrow\/\S*$/iu;

/** Returns the link that ends a text, also in `<…>` or `[…](…)`: the search box may contain the shown search before it. */
export function narrowLinkIn(typed: string): string | undefined {
  const lastWord = typed.trim().split(/\s/u).at(-1) ?? '';
  const link = lastWord.replace(/^(?:<|.*\]\()(.*)[>)]$/u, '$1');
  return linkText.test(link) ? link : undefined;
}

/** Returns where a link `https://…/#narrow/…` leads; undefined for other text. */
export function findLink(account: AccountState, typed: string): FoundLink | undefined {
  const link = narrowLinkIn(typed);
  if (link === undefined) return undefined;
  const found = parseDestination(account, link);
  if (found.kind === 'problem') return {problem: found.problem};
  const narrow = found.kind === 'conversation' ? conversationNarrow(found.conversation) : found.narrow;
  const people = narrow.find(({operator}) => operator === 'dm')?.operand;
  if (Array.isArray(people) && people.some((id: string | number) => !account.users.has(Number(id)))) {
    return {problem: 'This link names an unknown user.'};
  }
  const near = narrow.find(({operator}) => operator === 'near')?.operand;
  const view = messagesView(narrow.filter(({operator}) => operator !== 'near'));
  return {
    title: viewTitle({account}, view),
    detail: near === undefined ? 'from the link' : `message ${near}`,
    narrow,
  };
}
