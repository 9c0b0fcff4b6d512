import {withStore} from '#cli/account-access/open-store.ts';
import {
  messageNeeds,
  type StateContext,
  withFetchedGroups,
  withFetchedUsers,
  withSessionContext,
  withState,
} from '#cli/account-access/with-state.ts';
import {type CliIo, exitCodes, PlainFailure, printNotice, printStyled, UsageError} from '#cli/io.ts';
import {
  accessRefusal,
  mayNamePeople,
  narrowFromWords,
  queryNamesPeople,
  savedViewsOf,
  viewNeeds,
} from '#cli/messages/destination-arguments.ts';
import {fetchMessages, type ListedMessage, type MessageRange} from '#cli/messages/fetch-messages.ts';
import {
  messageFormatter,
  messageJson,
  messageTextOptions,
  outputStyle,
  usersNamedById,
} from '#cli/messages/message-text.ts';
import {pastMomentOf} from '#cli/name-arguments.ts';
import {readRenderedFacts} from '#content/read-rendered-facts.ts';
import type {AccountStore} from '#state/account-store.ts';
import {resolveNarrow} from '#state/fetches/fetch-messages.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import type {NameMatching} from '#state/selectors/names/find-by-name.ts';
import {nameFacts} from '#state/selectors/names/find-by-name.ts';
import {parseSearch, searchNote} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {messageMatchesNarrow} from '#state/timelines/narrow-membership.ts';
import {batches} from '#std/batches.ts';
import {printableJson} from '#std/printable.ts';
import {markAsRead} from './unread.ts';
import type {CommonOptions} from './verb.ts';
import type {VerbArguments, VerbRunner} from './verb-table.ts';

const defaultCount = 20;
export const maxCount = 5000;

export const read: VerbRunner<'read'> = async (verbArguments, io, signal) => {
  const {values, words, matching} = verbArguments;
  const range = messageRange(verbArguments, io);
  const people = mayNamePeople(words.join(' ')) ? 'all' : 'self';
  return withState(values, io, signal, {fetch: [...messageNeeds, ...viewNeeds(words)], people}, async (verbContext) => {
    const named = narrowFromWords(verbContext.state, words, matching, () => savedViewsOf(verbContext));
    const {narrow, near} = await resolveLinks(verbContext, named);
    const isAround = near !== undefined && values.since === undefined && values.before === undefined;
    const targetRange = isAround ? ({kind: 'around', count: range.count, id: near} as const) : range;
    const fullNarrow = values.unread ? [...narrow, ...narrowIs('unread')] : narrow;
    const {messages: fetched, hasMore} = await fetchMessages(
      verbContext.api,
      verbContext.state.self.userId,
      fullNarrow,
      targetRange,
    );
    const refusal = fetched.length > 0 ? undefined : accessRefusal(verbContext.state, narrow, io.clock.now());
    if (refusal !== undefined) throw refusal;
    if (fetched.length === 0) printNotice(io, values.unread ? 'No unread messages.' : 'No messages.');
    const conversation = conversationOfNarrow(narrow);
    // A topic without any message does not exist: it may be mistyped.
    if (fetched.length === 0 && targetRange.kind === 'last' && conversation?.kind === 'topic') return exitCodes.failed;
    const showsConversations = conversation === undefined;
    const {state, messages} = values.raw
      ? {state: verbContext.state, messages: fetched}
      : await resolveNames(verbContext, fetched);
    await printMessages(io, state, messages, {...values, showsConversations, trustsNames: people === 'self'});
    if (hasMore && targetRange.kind === 'from')
      printNotice(io, `There are more messages. These are the first ${messages.length}.`);
    if (!values['mark-read']) return exitCodes.ok;
    // The reader of the output may have closed it meanwhile.
    signal.throwIfAborted();
    const ids = messages.filter(({isUnread}) => isUnread).map(({message}) => message.id);
    await markAsRead(verbContext, ids);
    return exitCodes.ok;
  });
};

function messageRange({values}: VerbArguments<'read'>, io: CliIo): MessageRange {
  const {count, since, before, unread} = values;
  if (since !== undefined && before !== undefined) throw new UsageError('Use either --since or --before, not both.');
  const last = {kind: 'last', count: count ?? defaultCount, before} as const;
  if (before !== undefined) return last;
  if (since !== undefined) {
    return {kind: 'from', count: count ?? maxCount, since: pastMomentOf(since, io.clock.now())};
  }
  return unread ? {kind: 'from', count: count ?? maxCount} : last;
}

/** Resolves links to a message: the id to start at, and the current conversation of a moved topic. */
export function resolveLinks(
  verbContext: StateContext,
  narrow: Narrow,
): Promise<{narrow: Narrow; near: number | undefined}> {
  const isPlain = !narrow.some(({operator}) => operator === 'near' || operator === 'with');
  if (isPlain) return Promise.resolve({narrow, near: undefined});
  return withSessionContext(verbContext, (context) => resolveNarrow(context, narrow));
}

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
  printNotice(io, `No messages match “${query}”${local ? ' on this machine' : ''}.`);
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

interface PrintOptions extends Pick<CommonOptions, 'json' | 'color'> {
  /** Prints the Markdown source. */
  readonly raw: boolean;
  readonly showsConversations: boolean;
  readonly trustsNames: boolean;
}

/** Prints messages as text or JSON. Resolves when the output was written. */
async function printMessages(
  io: CliIo,
  state: AccountState,
  listed: readonly ListedMessage[],
  {json, color, raw, showsConversations, trustsNames}: PrintOptions,
): Promise<void> {
  if (listed.length === 0) return;
  const messages = withMessages(
    state.messages,
    listed.map(({message}) => message),
  );
  const stateWithMessages = {...state, messages};
  const text = messageTextOptions(state, io.clock.now(), trustsNames);
  const format = messageFormatter(
    outputStyle(io, color),
    {showsConversations, hasHeadings: io.outputIsTty},
    raw ? undefined : () => text,
  );
  const lines = listed.flatMap(({message, isUnread}) =>
    json
      ? [printableJson(messageJson(stateWithMessages, message, isUnread, text))]
      : format(stateWithMessages, message),
  );
  await printStyled(io, lines.join('\n'));
}

const pageSize = 100;

/** Returns the messages with what the names in them meant when they were written, and a state with today's names. */
async function resolveNames(
  context: StateContext,
  listed: readonly ListedMessage[],
): Promise<{readonly state: AccountState; readonly messages: readonly ListedMessage[]}> {
  const messages = await withRenderedFacts(context, listed);
  const userIds = messages.flatMap(({message}) => [
    ...usersNamedById(message),
    ...Object.values(message.facts?.users ?? {}),
  ]);
  const named = await withFetchedUsers(context, userIds);
  const hasGroups = messages.some(({message}) => message.facts?.groups !== undefined);
  return {state: (hasGroups ? await withFetchedGroups(named) : named).state, messages};
}

/** Fetches the renderings of messages with names that are not known here: they say who and what is meant. */
async function withRenderedFacts(
  {api, state}: StateContext,
  listed: readonly ListedMessage[],
): Promise<readonly ListedMessage[]> {
  const unresolved = listed.flatMap(({message}) => (nameFacts(state, message).areAllFound ? [] : [message.id]));
  if (!state.server.abilities.messagesByIds) return listed;
  const html = new Map<number, string>();
  for (const ids of batches(unresolved, pageSize)) {
    const {messages} = await api.getMessages({message_ids: ids, apply_markdown: true, client_gravatar: true});
    for (const {id, content} of messages) html.set(id, content);
  }
  return listed.map((one) => {
    const rendered = html.get(one.message.id);
    if (rendered === undefined) return one;
    return {...one, message: {...one.message, facts: readRenderedFacts(rendered, one.message.content)}};
  });
}
