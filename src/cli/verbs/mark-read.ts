import {conversationNeeds, type StateContext, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {mayNamePeople, narrowFromWords} from '#cli/messages/destination-arguments.ts';
import {fetchMessages} from '#cli/messages/fetch-messages.ts';
import {UsageError} from '#cli/usage-error.ts';
import {type Narrow, narrowIs} from '#state/model/narrow.ts';
import {matchesNarrow} from '#state/timelines/narrow-membership.ts';
import type {VerbRunner} from './run.ts';

const idsPerRequest = 1000;

export const markRead: VerbRunner<'mark-read'> = async ({values, words}, io, signal) => {
  const text = words.join(' ').trim();
  if (text === '' && !values.all) throw new UsageError('Say what to mark as read, or --all for everything.');
  if (text !== '' && values.all) throw new UsageError('--all is everything: leave out the place.');
  const fetch = [
    ...conversationNeeds,
    'message',
    'update_message_flags',
    'user_topic',
    'muted_topics',
  ] as const;
  const people = mayNamePeople(text) ? 'all' : 'self';
  return withState(values, io, signal, {fetch, people}, async (world) => {
    const ids = await unreadIds(world, narrowFromWords(world.state, words));
    if (!values['dry-run']) await markAsRead(world, ids);
    if (values.json) printJson(io, {count: ids.length, messageIds: ids, dryRun: values['dry-run']});
    else print(io, sentenceFor(ids.length, values['dry-run']));
    if (world.state.unreads.oldMissing)
      printNotice(io, 'The server names only the newest unread messages: run it again for older ones.');
    return exitCodes.ok;
  });
};

function sentenceFor(count: number, isDry: boolean): string {
  if (count === 0) return 'Nothing is unread there.';
  const what = `${count} message${count === 1 ? '' : 's'}`;
  if (isDry) return `${what} would be marked as read.`;
  return `${what} marked as read.`;
}

/** What is unread in there at this moment; what arrives later stays unread. */
async function unreadIds(world: StateContext, narrow: Narrow): Promise<readonly number[]> {
  const {state} = world;
  const ids: number[] = [];
  for (const {ids: unread, conversation: place} of state.unreads.conversations.values()) {
    for (const id of unread) {
      const verdict = matchesNarrow(state, narrow, {id, conversation: place, message: undefined});
      if (verdict === undefined) return fetchUnreadIds(world, narrow);
      if (verdict) ids.push(id);
    }
  }
  return ids.sort((a, b) => a - b);
}

/** Only the server can tell which messages hold a word, or who sent them. */
async function fetchUnreadIds({api, state}: StateContext, narrow: Narrow): Promise<readonly number[]> {
  const stretch = {kind: 'from', count: Number.MAX_SAFE_INTEGER} as const;
  const {messages} = await fetchMessages(api, state.self.userId, [...narrow, ...narrowIs('unread')], stretch);
  return messages.filter(({isUnread}) => isUnread).map(({message}) => message.id);
}

/** Exactly these. When it breaks off, says how far it came. */
export async function markAsRead({api, io}: StateContext, ids: readonly number[]): Promise<void> {
  let done = 0;
  try {
    while (done < ids.length) {
      const messages = ids.slice(done, done + idsPerRequest);
      await api.updateFlags({messages, op: 'add', flag: 'read'});
      done += messages.length;
    }
  } catch (error) {
    if (done > 0) printNotice(io, `${done} of ${ids.length} messages were marked as read before this:`);
    throw error;
  }
}
