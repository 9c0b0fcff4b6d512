import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import {channelRanks} from './channels.ts';
import {draftConversations} from './drafts.ts';
import {type InboxGroup, InboxGroups} from './inbox-groups.ts';
import {type InboxRow, inboxSlices} from './inbox-index.ts';

const groups = new InboxGroups();

/**
 * Every conversation with unread messages, each in one group: the six groups in order, some perhaps empty. A group that has
 * not changed is the same object.
 *
 * Mentions and direct messages by who waits longest; channels in the order of the sidebar, newest topic first.
 */
export const inboxGroups = memoBySlices(
  [...inboxSlices, 'folders', 'settings'],
  (state: AccountState): readonly InboxGroup[] => groups.of(state, channelRanks(state)),
);

/** The row of one conversation; undefined when nothing in it is unread. */
export function inboxRow(state: AccountState, key: ConversationKey): InboxRow | undefined {
  inboxGroups(state);
  return groups.row(key);
}

/** What the walk from one unread conversation to the next goes through: everything but the muted. */
export function inboxRows(state: AccountState): readonly InboxRow[] {
  return inboxGroups(state).flatMap(({id, rows}) => (id === 'muted' ? [] : rows));
}

/**
 * The most important conversation that waits: mention, direct, followed, other, and then what one began to write. With
 * `after` the one that follows it, from the top again after the last; undefined when nothing else waits.
 */
export function smartNext(state: AccountState, after?: ConversationKey): Conversation | undefined {
  const waiting = new Map(inboxRows(state).map(({key, conversation}) => [key, conversation]));
  for (const [key, conversation] of draftConversations(state)) {
    if (!waiting.has(key)) waiting.set(key, conversation);
  }
  const keys = [...waiting.keys()];
  const place = after === undefined ? -1 : keys.indexOf(after);
  const next = keys[place + 1] ?? keys[0];
  return next === undefined || next === after ? undefined : waiting.get(next);
}

/** The unread conversation after one in the order of the inbox, and around at its end. `isPassed` are left out. */
export function unreadAfter(
  state: AccountState,
  after: ConversationKey | undefined,
  isPassed: (conversation: Conversation) => boolean = () => false,
): Conversation | undefined {
  const rows = inboxRows(state);
  const at = rows.findIndex(({key}) => key === after);
  const ahead = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))];
  return ahead.find(({conversation}) => !isPassed(conversation))?.conversation;
}
