import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {messageNeeds, type StateContext, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {mayNamePeople, narrowFromWords} from '#cli/messages/destination-arguments.ts';
import {fetchMessages, type MessageRange} from '#cli/messages/fetch-messages.ts';
import {printMessages} from '#cli/messages/print-messages.ts';
import {resolveNames} from '#cli/messages/resolve-names.ts';
import {UsageError} from '#cli/usage-error.ts';
import {resolveNarrow} from '#state/fetches/resolve-narrow.ts';
import {channelIdOfNarrow, conversationOfNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {unreadableReason} from '#state/selectors/permissions/channel-permissions.ts';
import {markAsRead} from './unread.ts';
import type {VerbRunner} from './verb-runner.ts';
import type {VerbArguments} from './verb-table.ts';

const defaultCount = 20;
const maxCount = 5000;

export const read: VerbRunner<'read'> = async (verbArguments, io, signal) => {
  const {values, words, matching} = verbArguments;
  const range = messageRange(verbArguments, io);
  const people = mayNamePeople(words.join(' ')) ? 'all' : 'self';
  return withState(values, io, signal, {fetch: messageNeeds, people}, async (verbContext) => {
    const {narrow, near} = await resolveLinks(verbContext, narrowFromWords(verbContext.state, words, matching));
    const isAround = near !== undefined && values.since === undefined && values.before === undefined;
    const targetRange = isAround ? ({kind: 'around', count: range.count, id: near} as const) : range;
    const fullNarrow = values.unread ? [...narrow, ...narrowIs('unread')] : narrow;
    const {messages: fetched, hasMore} = await fetchMessages(
      verbContext.api,
      verbContext.state.self.userId,
      fullNarrow,
      targetRange,
    );
    const channelId = channelIdOfNarrow(narrow);
    const reason =
      channelId === undefined || fetched.length > 0
        ? undefined
        : unreadableReason(verbContext.state, channelId, io.clock.now());
    if (reason !== undefined) throw new PlainFailure(reason, exitCodes.refused);
    const showsConversations = conversationOfNarrow(narrow) === undefined;
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
    return {kind: 'from', count: count ?? maxCount, since: parseMoment(since, io.clock.now())};
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

const units: Readonly<Record<string, number>> = {m: 60, h: 3600, d: 86_400, w: 604_800};

/**
 * Parses `30m`, `2h`, `3d` or `1w` as a time before now, or a date or date and time, which are local by
 * default. Returns milliseconds since the epoch.
 */
function parseMoment(written: string, now: number): number {
  const text = written.trim();
  const [, amount, unit = ''] = /^(\d{1,5}) ?([mhdw])$/.exec(text) ?? [];
  const seconds = units[unit];
  if (amount !== undefined && seconds !== undefined) return now - Number(amount) * seconds * 1000;
  // JavaScript parses a date alone as midnight UTC.
  const local = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text.replace(' ', 'T');
  const at = /^\d{4}-\d\d-\d\dT\d/.test(local) ? Date.parse(local) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new UsageError(`“${written}” is not a time. Use 30m, 2h, 3d, 2026-05-01 or 2026-05-01T09:30.`);
}
