import type {ConversationKey} from '#state/model/conversation.ts';
import {channelRanks} from '#state/selectors/lists/channel-sections.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import {type Inbox, type InboxGroup, inboxOf} from './inbox-groups.ts';
import {type InboxRow, inboxSlices} from './inbox-index.ts';

/** Returns the inbox of a state, computed from the previous one and the changes since. */
export const inbox = memoBySlices(
  [...inboxSlices, ...channelRanks.slices],
  (state: AccountState, before: Inbox | undefined) => inboxOf(state, channelRanks(state), before),
);

/**
 * Returns every conversation with unread messages, each in one group: the six groups in order, some possibly empty. An
 * unchanged group is the same object.
 *
 * Mentions, direct messages and followed topics are sorted by their newest message; the others by channel in sidebar order,
 * newest topic first.
 */
export function inboxGroups(state: AccountState): readonly InboxGroup[] {
  return inbox(state).groups;
}

/** Returns the row of a conversation; undefined when it has no unread messages. */
export function inboxRow(state: AccountState, key: ConversationKey): InboxRow | undefined {
  return inbox(state).index.rows.get(key);
}

/** Returns the conversations that the walk through unread conversations visits: all but the muted. */
export function inboxRows(state: AccountState): readonly InboxRow[] {
  return inboxGroups(state).flatMap(({id, rows}) => (id === 'muted' ? [] : rows));
}
