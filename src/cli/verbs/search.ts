import {withStore} from '#cli/account-access/open-store.ts';
import {messageNeeds, withState} from '#cli/account-access/with-state.ts';
import {type CliIo, exitCodes, PlainFailure, printNotice, UsageError} from '#cli/io.ts';
import {queryNamesPeople} from '#cli/messages/destination-arguments.ts';
import {fetchMessages} from '#cli/messages/fetch-messages.ts';
import type {AccountStore} from '#state/account-store.ts';
import {initialState} from '#state/initial-state.ts';
import type {Message} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import type {NameMatching} from '#state/selectors/names/find-by-name.ts';
import {parseSearch, searchNote} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {messageMatchesNarrow} from '#state/timelines/narrow-membership.ts';
import {composed} from '#std/composed-text.ts';
import {printMessages, resolveNames} from './read.ts';
import type {VerbRunner} from './verb-table.ts';

const defaultMatches = 20;

/** The number of saved messages with the words that are filtered by the other terms. */
const maxFiltered = 5000;

export const search: VerbRunner<'search'> = async ({values, words, matching}, io, signal) => {
  const query = words.join(' ').trim();
  if (query === '') throw new UsageError('Give words to search for.');
  const {local, count = defaultMatches} = values;
  const people = queryNamesPeople(query) ? 'all' : 'self';
  const searchServer = () =>
    withState(values, io, signal, {fetch: messageNeeds, people}, async (context) => {
      const {api, state} = context;
      const narrow = parsedNarrow(io, state, query, matching);
      const {messages} = await fetchMessages(api, state.self.userId, narrow, {kind: 'last', count});
      return values.raw ? {state, messages} : resolveNames(context, messages);
    });
  // Searches the messages that are saved on this machine, without a connection.
  const searchSaved = () =>
    withStore(values, io, (store) => {
      const state = restoreState(store) ?? initialState;
      const matches = savedMessages(store, state, parsedNarrow(io, state, query, matching), count);
      return {state, messages: matches.map((message) => ({message, isUnread: state.unreads.byId.has(message.id)}))};
    });
  const {state, messages} = await (local ? searchSaved() : searchServer());
  const trustsNames = !local && people === 'self';
  await printMessages(io, state, messages, {...values, showsConversations: true, trustsNames});
  if (messages.length > 0) return exitCodes.ok;
  printNotice(io, composed`No messages match “${query}”${local ? ' on this machine' : ''}.`);
  return exitCodes.failed;
};

function parsedNarrow(io: CliIo, state: AccountState, query: string, matching: NameMatching): Narrow {
  const {narrow, problems, isMalformed} = parseSearch(state, query, matching, io.clock.now());
  const [problem] = problems;
  const note = searchNote(query);
  if (problem === undefined && note !== undefined) printNotice(io, `${note}.`);
  if (problem === undefined) return narrow;
  throw isMalformed ? new UsageError(problem) : new PlainFailure(problem);
}

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
