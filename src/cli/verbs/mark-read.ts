import {conversationNeeds, type StateContext, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {mayNamePeople, narrowFromWords} from '#cli/messages/destination-arguments.ts';
import {fetchMessages} from '#cli/messages/fetch-messages.ts';
import {UsageError} from '#cli/usage-error.ts';
import {conversationOfNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {searchText} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {matchesNarrow} from '#state/timelines/narrow-membership.ts';
import {printableLine} from '#std/printable.ts';
import type {VerbRunner} from './verb-runner.ts';

const idsPerRequest = 1000;

export const markRead: VerbRunner<'mark-read'> = async ({values, words, matching}, io, signal) => {
  const text = words.join(' ').trim();
  if (text === '' && !values.all) throw new UsageError('Name the conversation to mark as read, or use --all.');
  if (text !== '' && values.all) throw new UsageError('Use either --all or a conversation, not both.');
  const fetch = [...conversationNeeds, 'message', 'update_message_flags', 'user_topic', 'muted_topics'] as const;
  const people = mayNamePeople(text) ? 'all' : 'self';
  return withState(values, io, signal, {fetch, people}, async (verbContext) => {
    const narrow = narrowFromWords(verbContext.state, words, matching);
    const ids = await unreadIds(verbContext, narrow);
    if (!values['dry-run']) await markAsRead(verbContext, ids);
    if (values.json) printJson(io, {count: ids.length, messageIds: ids, dryRun: values['dry-run']});
    else print(io, resultText(ids.length, values['dry-run'], placeText(verbContext.state, narrow)));
    if (verbContext.state.unreads.oldMissing)
      printNotice(io, 'The server reports only the newest unread messages. Run the command again for older ones.');
    return exitCodes.ok;
  });
};

function resultText(count: number, isDryRun: boolean, place: string): string {
  if (count === 0) return `No unread messages${place}.`;
  const messages = `${count} message${count === 1 ? '' : 's'}`;
  if (isDryRun) return `${messages} would be marked as read${place}.`;
  return `${messages} marked as read${place}.`;
}

/** Returns the conversation or search that the words named. */
function placeText(state: AccountState, narrow: Narrow): string {
  const conversation = conversationOfNarrow(narrow);
  const place = conversation === undefined ? searchText(narrow, state) : conversationTitle(state, conversation);
  return place === '' ? '' : `: ${printableLine(place)}`;
}

/** Returns the ids of the messages in the narrow that are unread now; later messages stay unread. */
async function unreadIds(verbContext: StateContext, narrow: Narrow): Promise<readonly number[]> {
  const {state} = verbContext;
  const ids: number[] = [];
  for (const {ids: unread, conversation} of state.unreads.conversations.values()) {
    for (const id of unread) {
      const matches = matchesNarrow(state, narrow, {id, conversation, message: undefined});
      if (matches === undefined) return fetchUnreadIds(verbContext, narrow);
      if (matches) ids.push(id);
    }
  }
  return ids.sort((a, b) => a - b);
}

/** Asks the server, which alone knows the words and senders of messages that were not fetched. */
async function fetchUnreadIds({api, state}: StateContext, narrow: Narrow): Promise<readonly number[]> {
  const range = {kind: 'from', count: Number.MAX_SAFE_INTEGER} as const;
  const {messages} = await fetchMessages(api, state.self.userId, [...narrow, ...narrowIs('unread')], range);
  return messages.filter(({isUnread}) => isUnread).map(({message}) => message.id);
}

/** Marks exactly these messages as read. After a failure it prints how many were marked. */
export async function markAsRead({api, io}: StateContext, ids: readonly number[]): Promise<void> {
  let done = 0;
  try {
    while (done < ids.length) {
      const messages = ids.slice(done, done + idsPerRequest);
      await api.updateFlags({messages, op: 'add', flag: 'read'});
      done += messages.length;
    }
  } catch (error) {
    if (done > 0) printNotice(io, `${done} of ${ids.length} messages were marked as read before this failure:`);
    throw error;
  }
}
