import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import {channelRanks} from './channels.ts';
import {draftConversations} from './drafts.ts';
import {type InboxGroupId, InboxIndex, type InboxRow, inboxGroupIds, inboxSlices} from './inbox-index.ts';

export interface InboxGroup {
  readonly id: InboxGroupId;
  readonly rows: readonly InboxRow[];
  readonly messageCount: number;
}

const index = new InboxIndex();

/**
 * Every conversation with unread messages, each in one group: the six groups in order, some perhaps empty.
 *
 * Mentions and direct messages by who waits longest; channels in the order of the sidebar, newest topic first.
 */
export const inboxGroups = memoBySlices(
  [...inboxSlices, 'folders', 'settings'],
  (state: AccountState): readonly InboxGroup[] => {
    const groups = new Map<InboxGroupId, InboxRow[]>(inboxGroupIds.map((id) => [id, []]));
    for (const row of index.rows(state)) groups.get(row.group)?.push(row);
    const ranks = channelRanks(state);
    return inboxGroupIds.map((id) => {
      const rows = groups.get(id) ?? [];
      const sorted = id === 'mentions' || id === 'direct' ? byWaiting(rows) : byChannel(rows, ranks);
      return {id, rows: sorted, messageCount: rows.reduce((sum, {count}) => sum + count, 0)};
    });
  },
);

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

function byWaiting(rows: readonly InboxRow[]): readonly InboxRow[] {
  return rows.toSorted((a, b) => a.oldestUnreadId - b.oldestUnreadId);
}

function byChannel(rows: readonly InboxRow[], ranks: ReadonlyMap<number, number>): readonly InboxRow[] {
  const rankOf = ({conversation}: InboxRow) =>
    conversation.kind === 'topic'
      ? (ranks.get(conversation.channelId) ?? ranks.size + conversation.channelId)
      : -1;
  return rows
    .map((row) => ({row, rank: rankOf(row)}))
    .sort((a, b) => a.rank - b.rank || b.row.newestUnreadId - a.row.newestUnreadId)
    .map(({row}) => row);
}
