import {acting} from '#cli/account-access/with-session-context.ts';
import {placeNeeds, type World, withWorld} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {type CliIo, note} from '#cli/io.ts';
import {mayNamePeople, narrowFrom} from '#cli/messages/destination-arguments.ts';
import {messageList, type Stretch} from '#cli/messages/fetch-messages.ts';
import {momentFrom} from '#cli/messages/moment.ts';
import {printMessages} from '#cli/messages/print-messages.ts';
import {UsageError} from '#cli/usage-error.ts';
import {resolveNarrow} from '#state/fetches/resolve-narrow.ts';
import {isNarrow, type Narrow, narrowConversation} from '#state/model/narrow.ts';
import {markAsRead} from './mark-read.ts';
import type {Run} from './run.ts';
import type {Given} from './verb-table.ts';

const usualCount = 20;
const mostMessages = 5000;

export const read: Run<'read'> = async (given, io, signal) => {
  const {values, words} = given;
  const stretch = stretchOf(given, io);
  const people = mayNamePeople(words.join(' ')) ? 'all' : 'self';
  return withWorld(values, io, signal, {fetch: placeNeeds, people}, async (world) => {
    const {narrow, near} = await resolved(world, narrowFrom(world.state, words));
    const isAround = near !== undefined && values.since === undefined && values.before === undefined;
    const where = isAround ? ({kind: 'around', count: stretch.count, id: near} as const) : stretch;
    const wanted = values.unread ? [...narrow, ...isNarrow('unread')] : narrow;
    const {messages, isCut} = await messageList(world.api, world.state.self.userId, wanted, where);
    const showsPlaces = narrowConversation(narrow) === undefined;
    await printMessages(io, world.state, messages, {...values, showsPlaces});
    if (isCut && where.kind === 'from') note(io, `There are more: these are the first ${messages.length}.`);
    if (!values['mark-read']) return exitCodes.ok;
    // Whoever read the output may have left in between.
    signal.throwIfAborted();
    const ids = messages.filter(({isUnread}) => isUnread).map(({message}) => message.id);
    await markAsRead(world, ids);
    return exitCodes.ok;
  });
};

function stretchOf({values}: Given<'read'>, io: CliIo): Stretch {
  const {count, since, before, unread} = values;
  if (since !== undefined && before !== undefined) throw new UsageError('Give one of --since and --before.');
  const last = {kind: 'last', count: count ?? usualCount, before} as const;
  if (before !== undefined) return last;
  if (since !== undefined) {
    return {kind: 'from', count: count ?? mostMessages, since: momentFrom(since, io.clock.now())};
  }
  return unread ? {kind: 'from', count: count ?? mostMessages} : last;
}

/** Links to a message say where to begin, and where the conversation is now. */
function resolved(world: World, narrow: Narrow): Promise<{narrow: Narrow; near: number | undefined}> {
  const isPlain = !narrow.some(({operator}) => operator === 'near' || operator === 'with');
  if (isPlain) return Promise.resolve({narrow, near: undefined});
  return acting(world, (context) => resolveNarrow(context, narrow));
}
