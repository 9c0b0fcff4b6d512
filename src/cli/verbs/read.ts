import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {conversationNeeds, type StateContext, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {mayNamePeople, narrowFromWords} from '#cli/messages/destination-arguments.ts';
import {fetchMessages, type MessageRange} from '#cli/messages/fetch-messages.ts';
import {parseMoment} from '#cli/messages/moment.ts';
import {printMessages} from '#cli/messages/print-messages.ts';
import {UsageError} from '#cli/usage-error.ts';
import {resolveNarrow} from '#state/fetches/resolve-narrow.ts';
import {conversationOfNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {markAsRead} from './mark-read.ts';
import type {VerbRunner} from './run.ts';
import type {VerbArguments} from './verb-table.ts';

const usualCount = 20;
const mostMessages = 5000;

export const read: VerbRunner<'read'> = async (given, io, signal) => {
  const {values, words} = given;
  const stretch = messageRange(given, io);
  const people = mayNamePeople(words.join(' ')) ? 'all' : 'self';
  return withState(values, io, signal, {fetch: conversationNeeds, people}, async (world) => {
    const {narrow, near} = await resolved(world, narrowFromWords(world.state, words));
    const isAround = near !== undefined && values.since === undefined && values.before === undefined;
    const where = isAround ? ({kind: 'around', count: stretch.count, id: near} as const) : stretch;
    const wanted = values.unread ? [...narrow, ...narrowIs('unread')] : narrow;
    const {messages, hasMore: isCut} = await fetchMessages(world.api, world.state.self.userId, wanted, where);
    const showsPlaces = conversationOfNarrow(narrow) === undefined;
    await printMessages(io, world.state, messages, {...values, showsPlaces});
    if (isCut && where.kind === 'from')
      printNotice(io, `There are more: these are the first ${messages.length}.`);
    if (!values['mark-read']) return exitCodes.ok;
    // Whoever read the output may have left in between.
    signal.throwIfAborted();
    const ids = messages.filter(({isUnread}) => isUnread).map(({message}) => message.id);
    await markAsRead(world, ids);
    return exitCodes.ok;
  });
};

function messageRange({values}: VerbArguments<'read'>, io: CliIo): MessageRange {
  const {count, since, before, unread} = values;
  if (since !== undefined && before !== undefined) throw new UsageError('Give one of --since and --before.');
  const last = {kind: 'last', count: count ?? usualCount, before} as const;
  if (before !== undefined) return last;
  if (since !== undefined) {
    return {kind: 'from', count: count ?? mostMessages, since: parseMoment(since, io.clock.now())};
  }
  return unread ? {kind: 'from', count: count ?? mostMessages} : last;
}

/** Links to a message say where to begin, and where the conversation is now. */
function resolved(world: StateContext, narrow: Narrow): Promise<{narrow: Narrow; near: number | undefined}> {
  const isPlain = !narrow.some(({operator}) => operator === 'near' || operator === 'with');
  if (isPlain) return Promise.resolve({narrow, near: undefined});
  return withSessionContext(world, (context) => resolveNarrow(context, narrow));
}
