import type {ConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {matchScores} from '#std/fuzzy.ts';
import type {FuzzyFindOptions, FuzzyResult} from '#std/fuzzy-index.ts';
import {buildPeopleIndexes} from '#ui/completion-menu/find-people.ts';
import {ConversationIndex, type IndexedConversation} from './conversation-index.ts';

const index = new ConversationIndex();

/** A match of people ranks below the words of a title, and above parts of words. */
const peoplePenalty = matchScores.word - matchScores.words;

export interface ConversationSearch {
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
  index.update(state);
  const options = {limit: kind === undefined ? limit : 4 * limit, boost, remap};
  const found = index.byTitle.find(text, options);
  const matches = kind === undefined ? found : found.filter(({item}) => item.conversation.kind === kind);
  const wanted = kind === 'direct' ? [] : matchesOfPeople(text, options);
  return withPeople(matches, wanted).slice(0, limit);
}

type Match = FuzzyResult<IndexedConversation>;

/** Returns topics whose title does not match without the names of the people who wrote there last. */
function matchesOfPeople(text: string, options: FuzzyFindOptions<IndexedConversation>): readonly Match[] {
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
  index.update(state);
  buildPeopleIndexes(state);
}
