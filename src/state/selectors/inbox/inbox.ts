import type {ConversationKey} from '#state/model/conversation.ts';
import {channelRanks} from '#state/selectors/lists/channel-sections.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import {type Inbox, type InboxGroup, inboxOf} from './inbox-groups.ts';
import {type InboxRow, inboxSlices} from './inbox-index.ts';

/** Returns the inbox of a state, made from the one that was asked for last and what changed since. */
export const inbox = memoBySlices(
  [...inboxSlices, ...channelRanks.slices],
  (state: AccountState, before: Inbox | undefined) => inboxOf(state, channelRanks(state), before),
);

/**
 * Every conversation with unread messages, each in one group: the six groups in order, some perhaps empty. A group that has
 * not changed is the same object.
 *
 * Mentions and direct messages by who waits longest; channels in the order of the sidebar, newest topic first.
 */
export function inboxGroups(state: AccountState): readonly InboxGroup[] {
  return inbox(state).groups;
}

/** The row of one conversation; undefined when nothing in it is unread. */
export function inboxRow(state: AccountState, key: ConversationKey): InboxRow | undefined {
  return inbox(state).index.rows.get(key);
}

/** What the walk from one unread conversation to the next goes through: everything but the muted. */
export function inboxRows(state: AccountState): readonly InboxRow[] {
  return inboxGroups(state).flatMap(({id, rows}) => (id === 'muted' ? [] : rows));
}
