import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {noUsers, type User, type Users} from '#state/model/user.ts';
import {usersNamed} from '#state/selectors/names/find-by-name.ts';
import type {AccountState} from '#state/state.ts';
import {type MatchRange, matchScores} from '#std/fuzzy.ts';
import {FuzzyIndex, type FuzzyResult} from '#std/fuzzy-index.ts';
import {memoByChanges, memoByObject} from '#std/memo.ts';
import type {SortedSet} from '#std/sorted-map.ts';
import {maxOptions} from './completion.ts';

/** An indexed user. The index has no users, which would all stay in memory. */
interface IndexedPerson {
  readonly id: number;
  readonly isBot: boolean;
}

/** Indexes all active users by a text; an update costs only the changed users. */
function peopleIndex(textOf: (user: User) => string) {
  return memoByChanges<AccountState['self'], number, User, FuzzyIndex<number, IndexedPerson>, Users>(
    () => ({sum: new FuzzyIndex(), of: noUsers}),
    (index, id, user) => {
      if (user?.isActive === true) index.put(id, {id, isBot: user.isBot}, textOf(user));
      else index.drop(id);
    },
  );
}

const peopleByName = peopleIndex(({fullName}) => fullName);
/** Built on first use, because few searches need it. */
const peopleByAddress = peopleIndex(({deliveryEmail, email}) => deliveryEmail ?? email);

export function buildPeopleIndexes({self, users}: AccountState): void {
  peopleByName(self, users);
}

/** The distance of a person from the current conversation: closer ones win ties. */
const nearness = {participant: 0, correspondent: 1, subscriber: 4, other: 5, bot: 10} as const;

export interface PersonMatch {
  readonly user: User;
  /** Ranges in the name; empty when the email address matched. */
  readonly ranges: readonly MatchRange[];
  readonly score: number;
  readonly nearness: number;
}

interface PeopleSearch {
  readonly query: string;
  readonly conversation: Conversation | undefined;
  readonly remap?: ((text: string) => string) | undefined;
  /** Matches with a lower score are left out. */
  readonly floor?: number;
}

/**
 * Returns the matching people, best first: names or words that start with the query come before other matches; then
 * participants of this conversation, direct-message partners, subscribers of the channel, everyone else; bots after people.
 * Muted and deactivated users are left out.
 */
export function findPeople(state: AccountState, search: PeopleSearch): readonly PersonMatch[] {
  const near = nearbyPeople(state, search.conversation);
  const subscribers = subscribersOf(state, search.conversation);
  const isUnmuted = ({id}: User) => !state.mutedUsers.has(id);
  const ranked = ({item: user, score, ranges}: FuzzyResult<User>): PersonMatch => {
    const rank = near.get(user.id) ?? (subscribers?.has(user.id) === true ? nearness.subscriber : nearness.other);
    return {user, score, ranges, nearness: rank + (user.isBot ? nearness.bot : 0)};
  };
  const found = candidates(state, search, near, subscribers).filter(({item}) => isUnmuted(item));
  return found.map(ranked).sort(byRank).slice(0, maxOptions);
}

function byRank(a: PersonMatch, b: PersonMatch): number {
  return (
    matchRank(b.score) - matchRank(a.score) ||
    a.nearness - b.nearness ||
    b.score - a.score ||
    a.user.fullName.length - b.user.fullName.length ||
    a.user.id - b.user.id
  );
}

/** Ranks a score: exact 2, prefix of a word 1, otherwise 0. */
export function matchRank(score: number): number {
  if (score >= matchScores.exact) return 2;
  if (score >= matchScores.word) return 1;
  return 0;
}

/** With this many matches by name, addresses are not searched. */
const enoughByName = 6;

/**
 * Finds matches by name, then by address. People near the conversation are boosted, so that many other matches cannot
 * hide them.
 */
function candidates(
  state: AccountState,
  {query, remap, floor}: PeopleSearch,
  near: ReadonlyMap<number, number>,
  subscribers: ReadonlySet<number> | undefined,
): readonly FuzzyResult<User>[] {
  if (query === '') return suggestedPeople(state, near, subscribers);
  const index = peopleByName(state.self, state.users);
  const nearBoost = (id: number) => (near.has(id) ? 90 : subscribers?.has(id) === true ? 40 : 0);
  const boost = ({id, isBot}: IndexedPerson) => nearBoost(id) - (isBot ? 30 : 0);
  const byName = index.find(query, {limit: maxOptions, remap, floor, boost});
  const unboosted = byName.map((found) => ({...found, score: found.score - boost(found.item)}));
  const isEnough = unboosted.length >= enoughByName || query.length < 2 || (floor ?? 0) > matchScores.inside;
  if (isEnough) return withoutWeakMatches(withUsers(state, unboosted));
  const known = new Set(unboosted.map(({item}) => item.id));
  const byAddress = peopleByAddress(state.self, state.users)
    .find(query, {limit: maxOptions, floor: matchScores.word})
    .filter(({item}) => !known.has(item.id))
    .map((found) => ({...found, score: matchScores.inside, ranges: []}));
  return withoutWeakMatches(withUsers(state, [...unboosted, ...byAddress]));
}

/** Returns the results with the users: the index is of the same state, so all of them exist. */
function withUsers({users}: AccountState, found: readonly FuzzyResult<IndexedPerson>[]): readonly FuzzyResult<User>[] {
  return found.flatMap(({item, ...result}) => {
    const user = users.get(item.id);
    return user === undefined ? [] : [{...result, item: user}];
  });
}

/** Drops scattered-letter matches when there are better ones. */
export function withoutWeakMatches<T extends {readonly score: number}>(found: readonly T[]): readonly T[] {
  const better = found.filter(({score}) => score >= matchScores.inside);
  return better.length > 0 ? better : found;
}

/** Suggestions for an empty query: people near the conversation, then others until the list is full. */
function suggestedPeople(
  state: AccountState,
  near: ReadonlyMap<number, number>,
  subscribers: ReadonlySet<number> | undefined,
): readonly FuzzyResult<User>[] {
  const ids = new Set(near.keys());
  for (const others of [subscribers ?? [], state.users.keys()]) {
    for (const id of others) {
      if (ids.size >= 2 * maxOptions) break;
      if (id !== state.self.userId) ids.add(id);
    }
  }
  return [...ids].flatMap((id) => {
    const user = state.users.get(id);
    return user?.isActive === true ? [{item: user, score: 0, ranges: []}] : [];
  });
}

const maxCorrespondents = 200;
/** The number of messages of the conversation searched for senders. */
const lookBack = 300;

/** Returns the known senders of this conversation and the user's direct-message partners, without the user. */
function nearbyPeople(state: AccountState, conversation: Conversation | undefined): ReadonlyMap<number, number> {
  const near = new Map<number, number>();
  const add = (id: number, rank: number) => {
    if (id !== state.self.userId && !near.has(id)) near.set(id, rank);
  };
  if (conversation?.kind === 'direct') for (const id of conversation.userIds) add(id, nearness.participant);
  if (conversation !== undefined) {
    for (const id of senders(state, conversationKey(conversation))) add(id, nearness.participant);
  }
  for (const id of correspondents(state.directs)) add(id, nearness.correspondent);
  return near;
}

/** Returns the conversation's senders, latest first. */
function senders({messages}: AccountState, key: ConversationKey): ReadonlySet<number> {
  const ids = new Set<number>();
  let count = 0;
  for (const id of messages.byConversation.get(key)?.reversed() ?? []) {
    count += 1;
    if (count > lookBack) break;
    const sender = messages.byId.get(id)?.senderId;
    if (sender !== undefined) ids.add(sender);
  }
  return ids;
}

/** Returns the user's direct-message partners, latest first. */
const correspondents = memoByObject((directs: AccountState['directs']): readonly number[] => {
  const latest = [...directs.values()].sort((a, b) => b.maxId - a.maxId);
  return [...new Set(latest.flatMap(({userIds}) => userIds))].slice(0, maxCorrespondents);
});

const setOf = memoByObject((ids: SortedSet<number>): ReadonlySet<number> => new Set(ids));

/** Returns the subscribers as a plain set, cached: every key checks thousands of people against it. */
function subscribersOf(state: AccountState, conversation: Conversation | undefined): ReadonlySet<number> | undefined {
  const ids = conversation?.kind === 'topic' ? state.subscribers.get(conversation.channelId)?.ids : undefined;
  return ids && setOf(ids);
}

/** Whether other users have the same name, so that the name alone is not enough. */
export function isAmbiguous(state: AccountState, user: User): boolean {
  return usersNamed(state, user.fullName).length > 1;
}
