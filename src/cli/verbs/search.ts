import {openAccount} from '#cli/account-access/open-account.ts';
import {openPersistentStore} from '#cli/account-access/open-store.ts';
import {conversationNeeds, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {printNotice} from '#cli/io.ts';
import {queryNamesPeople} from '#cli/messages/destination-arguments.ts';
import {fetchMessages, type ListedMessage} from '#cli/messages/fetch-messages.ts';
import {printMessages} from '#cli/messages/print-messages.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {AccountStore} from '#state/account-store.ts';
import {initialState} from '#state/initial-state.ts';
import type {Message} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {parseSearch} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {messageMatchesNarrow} from '#state/timelines/narrow-membership.ts';
import type {VerbRunner} from './run.ts';

const usualCount = 20;
/** Kept messages with the words, among which other terms choose. */
const mostSifted = 5000;

export const search: VerbRunner<'search'> = async (given, io, signal) => {
  const {values, words} = given;
  const query = words.join(' ').trim();
  if (query === '') throw new UsageError('Say what to search for.');
  const {state, found} = values.local
    ? await searchLocal(given, io, signal)
    : await searchServer(given, io, signal);
  await printMessages(io, state, found, {...values, showsPlaces: true});
  if (found.length > 0) return exitCodes.ok;
  printNotice(io, `Nothing is found for “${query}”${values.local ? ' on this machine' : ''}.`);
  return exitCodes.failed;
};

interface SearchResult {
  readonly state: AccountState;
  readonly found: readonly ListedMessage[];
}
type SearchFunction = (...given: Parameters<VerbRunner<'search'>>) => Promise<SearchResult>;

const searchServer: SearchFunction = ({values, words}, io, signal) => {
  const query = words.join(' ');
  const people = queryNamesPeople(query) ? 'all' : 'self';
  return withState(values, io, signal, {fetch: conversationNeeds, people}, async ({api, state}) => {
    const {narrow, problems} = parseSearch(state, query);
    const [problem] = problems;
    if (problem !== undefined) throw new PlainFailure(problem);
    const stretch = {kind: 'last', count: values.count ?? usualCount} as const;
    const {messages} = await fetchMessages(api, state.self.userId, narrow, stretch);
    return {state, found: messages};
  });
};

/** What Parley has seen, without a connection. */
const searchLocal: SearchFunction = async ({values, words}, io) => {
  const {account, release} = await openAccount(values, io);
  try {
    const store = openPersistentStore(account, io);
    try {
      const state = restoreState(store) ?? initialState;
      const {narrow, problems} = parseSearch(state, words.join(' '));
      const [problem] = problems;
      if (problem !== undefined) throw new PlainFailure(problem);
      const found = savedMessages(store, state, narrow, values.count ?? usualCount);
      return {state, found: found.map((message) => listed(state, message))};
    } finally {
      store.close();
    }
  } finally {
    await release();
  }
};

/** Oldest first. The words are looked up; of what has them, the other terms choose. */
function savedMessages(store: AccountStore, state: AccountState, narrow: Narrow, count: number): Message[] {
  const text = narrow.find(({operator, negated}) => operator === 'search' && negated !== true)?.operand;
  if (text === undefined) throw new UsageError('--local needs a word to search for.');
  const others = narrow.filter(({operator, operand}) => operator !== 'search' || operand !== text);
  const most = others.length === 0 ? count : mostSifted;
  const found = store.messages.search(String(text), most).filter((message) => {
    const verdict = messageMatchesNarrow(state, others, message);
    if (verdict !== undefined) return verdict;
    throw new PlainFailure('Only the server can tell which messages these are: leave out --local.');
  });
  return found.slice(0, count).toReversed();
}

function listed(state: AccountState, message: Message): ListedMessage {
  return {message, isUnread: state.unreads.byId.has(message.id)};
}
