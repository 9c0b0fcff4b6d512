import {
  messageNeeds,
  type StateContext,
  withFetchedGroups,
  withFetchedUsers,
  withSessionContext,
} from '#cli/account-access/with-state.ts';
import {type CliIo, exitCodes, jsonLine, printNotice, printStyled, UsageError} from '#cli/io.ts';
import {
  mayNamePeople,
  narrowFromWords,
  requireAccess,
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
import {resolveNarrow} from '#state/fetches/fetch-messages.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {conversationOfNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {nameFacts} from '#state/selectors/names/find-by-name.ts';
import type {AccountState} from '#state/state.ts';
import {batches} from '#std/batches.ts';
import {stateVerb} from './account-verb.ts';
import {markAsRead} from './mark-read.ts';
import type {CommonOptions} from './verb.ts';
import type {VerbArguments, VerbRunner} from './verb-table.ts';

const defaultCount = 20;
export const maxCount = 5000;

export const read: VerbRunner<'read'> = stateVerb(
  (verbArguments, io) => ({
    fetch: [...messageNeeds, ...viewNeeds(verbArguments.words)],
    people: mayNamePeople(verbArguments.words.join(' ')) ? 'all' : 'self',
    range: messageRange(verbArguments, io),
  }),
  async (context, {people, range}) => {
    const {api, io, signal, values, words, matching} = context;
    const named = narrowFromWords(context.state, words, matching, () => savedViewsOf(context));
    const {narrow, near} = await resolveLinks(context, named);
    const isAround = near !== undefined && values.since === undefined && values.before === undefined;
    const targetRange = isAround ? ({kind: 'around', count: range.count, id: near} as const) : range;
    const fullNarrow = values.unread ? [...narrow, ...narrowIs('unread')] : narrow;
    const {messages: fetched, hasMore} = await fetchMessages(api, context.state.self.userId, fullNarrow, targetRange);
    if (fetched.length === 0) {
      requireAccess(context.state, narrow, io.clock.now());
      printNotice(io, values.unread ? 'No unread messages.' : 'No messages.');
    }
    const conversation = conversationOfNarrow(narrow);
    // A topic without any message does not exist: it may be mistyped.
    if (fetched.length === 0 && targetRange.kind === 'last' && conversation?.kind === 'topic') return exitCodes.failed;
    const {state, messages} = values.raw
      ? {state: context.state, messages: fetched}
      : await resolveNames(context, fetched);
    const showsConversations = conversation === undefined;
    await printMessages(io, state, messages, {...values, showsConversations, trustsNames: people === 'self'});
    if (hasMore && targetRange.kind === 'from')
      printNotice(io, `There are more messages. These are the first ${messages.length}.`);
    if (!values['mark-read']) return exitCodes.ok;
    // The reader of the output may have closed it meanwhile.
    signal.throwIfAborted();
    const ids = messages.filter(({isUnread}) => isUnread).map(({message}) => message.id);
    await markAsRead(context, ids);
    return exitCodes.ok;
  },
);

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

interface PrintOptions extends Pick<CommonOptions, 'json' | 'color'> {
  /** Prints the Markdown source. */
  readonly raw: boolean;
  readonly showsConversations: boolean;
  readonly trustsNames: boolean;
}

/** Prints messages as text or JSON. Resolves when the output was written. */
export async function printMessages(
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
    json ? [jsonLine(io, messageJson(stateWithMessages, message, isUnread, text))] : format(stateWithMessages, message),
  );
  await printStyled(io, lines.join('\n'));
}

const pageSize = 100;

/** Returns the messages with what the names in them meant when they were written, and a state with today's names. */
export async function resolveNames(
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
  const unresolved = listed
    .filter(({message}) => !nameFacts(state, message).areAllFound)
    .map(({message}) => message.id);
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
