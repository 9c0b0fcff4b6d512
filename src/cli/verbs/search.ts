import {withStore} from '#cli/account-access/open-store.ts';
import {messageNeeds, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {printNotice} from '#cli/io.ts';
import {queryNamesPeople} from '#cli/messages/destination-arguments.ts';
import {fetchMessages, type ListedMessage} from '#cli/messages/fetch-messages.ts';
import {printMessages} from '#cli/messages/print-messages.ts';
import {resolveNames} from '#cli/messages/resolve-names.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {AccountStore} from '#state/account-store.ts';
import {initialState} from '#state/initial-state.ts';
import type {Message} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import type {NameMatching} from '#state/selectors/names/find-by-name.ts';
import {parseSearch} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {messageMatchesNarrow} from '#state/timelines/narrow-membership.ts';
import type {VerbRunner} from './verb-runner.ts';

const defaultCount = 20;
/** The number of saved messages with the words that are filtered by the other terms. */
const maxFiltered = 5000;

export const search: VerbRunner<'search'> = async (verbArguments, io, signal) => {
  const {values, words} = verbArguments;
  const query = words.join(' ').trim();
  if (query === '') throw new UsageError('Give words to search for.');
  const {
    state,
    messages,
    trustsNames = false,
  } = values.local ? await searchLocal(verbArguments, io, signal) : await searchServer(verbArguments, io, signal);
  await printMessages(io, state, messages, {...values, showsConversations: true, trustsNames});
  if (messages.length > 0) return exitCodes.ok;
  printNotice(io, `No messages match “${query}”${values.local ? ' on this machine' : ''}.`);
  return exitCodes.failed;
};

interface SearchResult {
  readonly state: AccountState;
  readonly messages: readonly ListedMessage[];
  readonly trustsNames?: boolean;
}
type SearchFunction = (...verbArguments: Parameters<VerbRunner<'search'>>) => Promise<SearchResult>;

const searchServer: SearchFunction = ({values, words, matching}, io, signal) => {
  const query = words.join(' ');
  const people = queryNamesPeople(query) ? 'all' : 'self';
  return withState(values, io, signal, {fetch: messageNeeds, people}, async (context) => {
    const {api, state} = context;
    const narrow = parsedNarrow(state, query, matching);
    const range = {kind: 'last', count: values.count ?? defaultCount} as const;
    const {messages} = await fetchMessages(api, state.self.userId, narrow, range);
    const named = values.raw ? {state, messages} : await resolveNames(context, messages);
    return {...named, trustsNames: people === 'self'};
  });
};

function parsedNarrow(state: AccountState, query: string, matching: NameMatching): Narrow {
  const {narrow, problems, isMalformed} = parseSearch(state, query, matching);
  const [problem] = problems;
  if (problem === undefined) return narrow;
  throw isMalformed ? new UsageError(problem) : new PlainFailure(problem);
}

/** Searches the messages that are saved on this machine, without a connection. */
const searchLocal: SearchFunction = ({values, words, matching}, io) =>
  withStore(values, io, (store) => {
    const state = restoreState(store) ?? initialState;
    const narrow = parsedNarrow(state, words.join(' '), matching);
    const matches = savedMessages(store, state, narrow, values.count ?? defaultCount);
    return {state, messages: matches.map((message) => ({message, isUnread: state.unreads.byId.has(message.id)}))};
  });

/** Returns saved messages, oldest first. The index finds the words; the other terms filter the result. */
function savedMessages(store: AccountStore, state: AccountState, narrow: Narrow, count: number): Message[] {
  const text = narrow.find(({operator, negated}) => operator === 'search' && negated !== true)?.operand;
  if (text === undefined) throw new UsageError('--local needs a word to search for.');
  const others = narrow.filter(({operator, operand}) => operator !== 'search' || operand !== text);
  const limit = others.length === 0 ? count : maxFiltered;
  const matches = store.messages.search(String(text), limit).filter((message) => {
    const isMatch = messageMatchesNarrow(state, others, message);
    if (isMatch !== undefined) return isMatch;
    throw new PlainFailure('Only the server can search for this. Leave out --local.');
  });
  return matches.slice(0, count).toReversed();
}
