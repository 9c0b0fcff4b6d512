import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import type {User} from '#state/model/user.ts';
import {usersNamed} from '#state/selectors/names/find-by-name.ts';
import type {AccountState} from '#state/state.ts';
import {type MatchRange, matchScores} from '#std/fuzzy.ts';
import {FuzzyIndex, type FuzzyResult} from '#std/fuzzy-index.ts';
import {memoByChanges} from '#std/memo.ts';
import {SortedMap, type SortedSet} from '#std/sorted-map.ts';
import {maxOptions} from './completion.ts';

type PeopleIndex = FuzzyIndex<number, User>;

/** Everybody who can be written to, by name; a change costs the people it is about, not all of them. */
const peopleByName = memoByChanges<number, User, PeopleIndex>(
  () => ({sum: new FuzzyIndex(), of: SortedMap.empty()}),
  (index, id, user) => {
    if (user?.isActive === true) index.put(id, user, user.fullName);
    else index.drop(id);
  },
);

/** The same by address; few look for somebody so, and the first who does pays for it. */
const peopleByAddress = memoByChanges<number, User, PeopleIndex>(
  () => ({sum: new FuzzyIndex(), of: SortedMap.empty()}),
  (index, id, user) => {
    if (user?.isActive === true) index.put(id, user, user.deliveryEmail ?? user.email);
    else index.drop(id);
  },
);

export function buildPeopleIndexes(state: AccountState): void {
  peopleByName(state.users);
  usersNamed(state, '');
}

/** How near somebody is to what is being written: nearer ones come first among those who fit as well. */
export const nearness = {participant: 0, correspondent: 1, subscriber: 4, other: 5, bot: 10} as const;

export interface PersonMatch {
  readonly user: User;
  /** Of the name; empty when the address was what fits. */
  readonly ranges: readonly MatchRange[];
  readonly score: number;
  readonly nearness: number;
}

export interface PeopleSearch {
  readonly query: string;
  readonly conversation: Conversation | undefined;
  readonly remap?: ((text: string) => string) | undefined;
  /** What fits worse is left out. */
  readonly floor?: number;
}

/**
 * Who may be meant, best first: those whose name, or a word of it, begins so, before those it is only found in; then who
 * spoke here, who one writes to, who reads the channel, and everybody else; bots after people. Muted people are not
 * offered, nor those who left.
 */
export function findPeople(state: AccountState, search: PeopleSearch): readonly PersonMatch[] {
  const near = nearbyPeople(state, search.conversation);
  const subscribers = subscribersOf(state, search.conversation);
  const isOpen = ({id}: User) => !state.mutedUsers.has(id);
  const placed = ({item: user, score, ranges}: FuzzyResult<User>): PersonMatch => {
    const place =
      near.get(user.id) ?? (subscribers?.has(user.id) === true ? nearness.subscriber : nearness.other);
    return {user, score, ranges, nearness: place + (user.isBot ? nearness.bot : 0)};
  };
  const found = candidates(state, search, near, subscribers).filter(({item}) => isOpen(item));
  return found.map(placed).sort(byPlace).slice(0, maxOptions);
}

function byPlace(a: PersonMatch, b: PersonMatch): number {
  return (
    matchRank(b.score) - matchRank(a.score) ||
    a.nearness - b.nearness ||
    b.score - a.score ||
    a.user.fullName.length - b.user.fullName.length ||
    a.user.id - b.user.id
  );
}

/** Exact, begun, or merely found in it. */
export function matchRank(score: number): number {
  return score >= matchScores.exact ? 2 : score >= matchScores.word ? 1 : 0;
}

/** With as many by name nobody is looked for by address. */
const enough = 6;

/** Those near are looked at one by one, so that they are there however many others fit better. */
function candidates(
  state: AccountState,
  {query, remap, floor}: PeopleSearch,
  near: ReadonlyMap<number, number>,
  subscribers: ReadonlySet<number> | undefined,
): readonly FuzzyResult<User>[] {
  if (query === '') return suggestedPeople(state, near, subscribers);
  const index = peopleByName(state.users);
  const isNear = ({id}: User) => (near.has(id) ? 90 : subscribers?.has(id) === true ? 40 : 0);
  const boost = (user: User) => isNear(user) - (user.isBot ? 30 : 0);
  const byName = index.find(query, {limit: maxOptions, remap, floor, boost});
  const plain = byName.map((found) => ({...found, score: found.score - boost(found.item)}));
  const isEnough = plain.length >= enough || query.length < 2 || (floor ?? 0) > matchScores.inside;
  if (isEnough) return withoutWeakMatches(plain);
  const known = new Set(plain.map(({item}) => item.id));
  const byAddress = peopleByAddress(state.users)
    .find(query, {limit: maxOptions, floor: matchScores.word})
    .filter(({item}) => !known.has(item.id))
    .map((found) => ({...found, score: matchScores.inside, ranges: []}));
  return withoutWeakMatches([...plain, ...byAddress]);
}

/** Letters found here and there are worth showing only when nothing better is found. */
export function withoutWeakMatches<T extends {readonly score: number}>(found: readonly T[]): readonly T[] {
  const better = found.filter(({score}) => score >= matchScores.inside);
  return better.length > 0 ? better : found;
}

/** Before a letter is typed: those near, then as many as the list takes. */
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

const mostNear = 200;
/** How far back in a conversation to look for who is in it. */
const lookBack = 300;

/** Who spoke in this conversation and who one writes to, as far as is known here. Oneself is not near. */
function nearbyPeople(
  state: AccountState,
  conversation: Conversation | undefined,
): ReadonlyMap<number, number> {
  const near = new Map<number, number>();
  const note = (id: number, place: number) => {
    if (id !== state.self.userId && !near.has(id)) near.set(id, place);
  };
  if (conversation?.kind === 'direct') for (const id of conversation.userIds) note(id, nearness.participant);
  if (conversation !== undefined) {
    for (const id of senders(state, conversationKey(conversation))) note(id, nearness.participant);
  }
  for (const id of correspondents(state.directs)) note(id, nearness.correspondent);
  return near;
}

/** Latest first. */
function senders({messages}: AccountState, key: ConversationKey): ReadonlySet<number> {
  const ids = new Set<number>();
  let looked = 0;
  for (const id of messages.byConversation.get(key)?.reversed() ?? []) {
    looked += 1;
    if (looked > lookBack) break;
    const sender = messages.byId.get(id)?.senderId;
    if (sender !== undefined) ids.add(sender);
  }
  return ids;
}

const latestOf = new WeakMap<AccountState['directs'], readonly number[]>();

/** Latest first. */
function correspondents(directs: AccountState['directs']): readonly number[] {
  let ids = latestOf.get(directs);
  if (ids === undefined) {
    const latest = [...directs.values()].sort((a, b) => b.maxId - a.maxId);
    ids = [...new Set(latest.flatMap(({userIds}) => userIds))].slice(0, mostNear);
    latestOf.set(directs, ids);
  }
  return ids;
}

const setOf = new WeakMap<SortedSet<number>, ReadonlySet<number>>();

/** As a plain set, made once: at every key it is asked about thousands of people. */
function subscribersOf(
  state: AccountState,
  conversation: Conversation | undefined,
): ReadonlySet<number> | undefined {
  const ids = conversation?.kind === 'topic' ? state.subscribers.get(conversation.channelId)?.ids : undefined;
  if (ids === undefined) return undefined;
  let set = setOf.get(ids);
  if (set === undefined) {
    set = new Set(ids);
    setOf.set(ids, set);
  }
  return set;
}

/** Whether others have that name too, so that a name alone says nothing. */
export function isAmbiguous(state: AccountState, user: User): boolean {
  return usersNamed(state, user.fullName).length > 1;
}
