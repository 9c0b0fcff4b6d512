import {buildPeopleIndexes} from '#app/completion/find-people.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import type {FuzzyResult} from '#std/fuzzy-index.ts';
import {ConversationIndex, type IndexedConversation} from './conversation-index.ts';

const index = new ConversationIndex();

export interface ConversationSearch {
  readonly query: string;
  readonly limit: number;
  /** Where one was, latest first: what one goes to often is what one means. */
  readonly visits?: readonly ConversationKey[] | undefined;
  readonly remap?: ((text: string) => string) | undefined;
  readonly kind?: 'topic' | 'direct';
}

/** Conversations by name, best first: how well they fit, then how lately one was there and something was said. */
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
  // `channel>topic` and `channel topic` ask for the same.
  const text = query.replaceAll(/[>›]/g, ' ');
  const found = index
    .updatedIndex(state)
    .find(text, {limit: kind === undefined ? limit : 4 * limit, boost, remap});
  const wanted = kind === undefined ? found : found.filter(({item}) => item.conversation.kind === kind);
  return wanted.slice(0, limit);
}

/** Prepares what the first search and the first mention would otherwise wait for: worth a moment when nothing else is. */
export function buildSearchIndexes(state: AccountState): void {
  index.updatedIndex(state);
  buildPeopleIndexes(state);
}
