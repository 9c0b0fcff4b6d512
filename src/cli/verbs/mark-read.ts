import type {StateContext} from '#cli/account-access/with-state.ts';
import {printNotice, UsageError} from '#cli/io.ts';
import {mayNamePeople, narrowFromWords, savedViewsOf, viewNeeds} from '#cli/messages/destination-arguments.ts';
import {fetchMessages} from '#cli/messages/fetch-messages.ts';
import {conversationOfNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {searchText} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {matchesNarrow} from '#state/timelines/narrow-membership.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {stateVerb} from './account-verb.ts';
import {unreadNeeds} from './inbox.ts';
import {missingNotice} from './unread.ts';
import type {VerbRunner} from './verb-table.ts';

const idsPerRequest = 1000;

export const markRead: VerbRunner<'mark-read'> = stateVerb(
  ({values, words}) => {
    const text = words.join(' ').trim();
    if (text === '' && !values.all) throw new UsageError('Name the conversation to mark as read, or use --all.');
    if (text !== '' && values.all) throw new UsageError('Use either --all or a conversation, not both.');
    return {fetch: [...unreadNeeds, ...viewNeeds(words)], people: mayNamePeople(text) ? 'all' : 'self'};
  },
  async (context) => {
    const {state, values, words, matching} = context;
    const dryRun = values['dry-run'];
    const narrow = narrowFromWords(state, words, matching, () => savedViewsOf(context));
    const ids = await unreadIds(context, narrow);
    if (!dryRun) await markAsRead(context, ids);
    const done = `${countedNoun(ids.length, 'message')} ${dryRun ? 'would be marked' : 'marked'} as read`;
    return {
      json: {count: ids.length, messageIds: ids, dryRun},
      text: `${ids.length === 0 ? 'No unread messages' : done}${placeText(state, narrow)}.`,
      notice: missingNotice(!state.unreads.oldMissing, 'Run the command again for older ones.'),
    };
  },
);

/** Returns the conversation or search that the words named. */
function placeText(state: AccountState, narrow: Narrow): string {
  const conversation = conversationOfNarrow(narrow);
  const place = conversation === undefined ? searchText(narrow, state) : conversationTitle(state, conversation);
  return place === '' ? '' : composed`: ${printableLine(place)}`;
}

/** Returns the ids of the messages in the narrow that are unread now; later messages stay unread. */
async function unreadIds(verbContext: StateContext, narrow: Narrow): Promise<readonly number[]> {
  const {state} = verbContext;
  const ids: number[] = [];
  for (const {ids: unreadOnes, conversation} of state.unreads.conversations.values()) {
    for (const id of unreadOnes) {
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
