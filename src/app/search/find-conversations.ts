import {buildPeopleIndexes} from '#app/completion/find-people.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import type {FuzzyResult} from '#std/fuzzy-index.ts';
import {ConversationIndex, type IndexedConversation} from './conversation-index.ts';

const index = new ConversationIndex();

export interface ConversationSearch {
  readonly query: string;
  readonly limit: number;
  /** Visited conversations, latest first: frequent destinations rank higher. */
  readonly visits?: readonly ConversationKey[] | undefined;
  readonly remap?: ((text: string) => string) | undefined;
  readonly kind?: 'topic' | 'direct';
}

/** Returns conversations by name, best first: by match, then by recent visits and messages. */
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
  const found = index.updatedIndex(state).find(text, {limit: kind === undefined ? limit : 4 * limit, boost, remap});
  const matches = kind === undefined ? found : found.filter(({item}) => item.conversation.kind === kind);
  return matches.slice(0, limit);
}

/** Builds the indexes ahead of the first search and the first mention. */
export function buildSearchIndexes(state: AccountState): void {
  index.updatedIndex(state);
  buildPeopleIndexes(state);
}
