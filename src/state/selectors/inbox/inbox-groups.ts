import {channelIdOf} from '#state/model/conversation.ts';
import {
  type InboxChange,
  type InboxGroupId,
  type InboxIndex,
  type InboxRow,
  inboxGroupIds,
  inboxIndex,
} from './inbox-index.ts';

/** A group of the inbox with its rows in order. */
export interface InboxGroup {
  readonly id: InboxGroupId;
  readonly rows: readonly InboxRow[];
  /** Number of unread messages in all rows. */
  readonly messageCount: number;
}

type Ranks = ReadonlyMap<number, number>;
type Order = (a: InboxRow, b: InboxRow) => number;

/** With more changes than this, sorting again is faster than inserting. */
const maxInsertions = 100;

/** The inbox: its rows in groups, each in order. */
export interface Inbox {
  readonly index: InboxIndex;
  readonly ranks: Ranks;
  readonly groups: readonly InboxGroup[];
}

/** Returns the inbox of a state. A change since the inbox `before` copies its group instead of sorting it. */
export function inboxOf(state: InboxIndex['state'], ranks: Ranks, before?: Inbox): Inbox {
  const {index, changes} = inboxIndex(state, before?.index);
  const needsSort = before === undefined || ranks !== before.ranks || changes.length > maxInsertions;
  if (needsSort) return {index, ranks, groups: sortedGroups(index.rows.values(), ranks)};
  const isSame = changes.length === 0;
  const groups = isSame ? before.groups : before.groups.map((one) => changedGroup(one, changes, ranks));
  return {index, ranks, groups};
}

function sortedGroups(all: Iterable<InboxRow>, ranks: Ranks): readonly InboxGroup[] {
  const groups = new Map<InboxGroupId, InboxRow[]>(inboxGroupIds.map((id) => [id, []]));
  for (const row of all) groups.get(row.group)?.push(row);
  return inboxGroupIds.map((id) => {
    const rows = groups.get(id) ?? [];
    return groupOf(id, rows.sort(orderOf(id, ranks, rows)));
  });
}

function groupOf(id: InboxGroupId, rows: readonly InboxRow[]): InboxGroup {
  return {id, rows, messageCount: rows.reduce((sum, {count}) => sum + count, 0)};
}

function changedGroup(group: InboxGroup, changes: readonly InboxChange[], ranks: Ranks): InboxGroup {
  const {id} = group;
  const removed = new Set(changes.flatMap(({before}) => (before?.group === id ? [before] : [])));
  const added = changes.flatMap(({now}) => (now?.group === id ? [now] : []));
  if (removed.size === 0 && added.length === 0) return group;
  const rows = removed.size === 0 ? [...group.rows] : group.rows.filter((row) => !removed.has(row));
  const order = orderOf(id, ranks, [...rows, ...added]);
  // One more row may move the others of its channel.
  if (id === 'mentions') return groupOf(id, [...rows, ...added].sort(order));
  for (const row of added) rows.splice(insertionIndex(row, rows, order), 0, row);
  return groupOf(id, rows);
}

/** Returns the index at which a row belongs, by binary search. */
function insertionIndex(row: InboxRow, rows: readonly InboxRow[], order: Order): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = rows[middle];
    if (other !== undefined && order(other, row) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function orderOf(id: InboxGroupId, ranks: Ranks, rows: readonly InboxRow[]): Order {
  if (id === 'mentions') return byOldestUnreadOfChannel(rows);
  if (id === 'direct') return byOldestUnread;
  return (a, b) => rankOf(a, ranks) - rankOf(b, ranks) || b.newestUnreadId - a.newestUnreadId;
}

function byOldestUnread(a: InboxRow, b: InboxRow): number {
  return a.oldestUnreadId - b.oldestUnreadId;
}

/** Returns the order by the oldest unread message that keeps the rows of a channel, and direct messages, together. */
function byOldestUnreadOfChannel(rows: readonly InboxRow[]): Order {
  const oldest = new Map<number | undefined, number>();
  for (const {conversation, oldestUnreadId} of rows) {
    const channelId = channelIdOf(conversation);
    oldest.set(channelId, Math.min(oldest.get(channelId) ?? oldestUnreadId, oldestUnreadId));
  }
  const oldestBeside = ({conversation}: InboxRow) => oldest.get(channelIdOf(conversation)) ?? 0;
  return (a, b) => oldestBeside(a) - oldestBeside(b) || byOldestUnread(a, b);
}

/** Returns the sort rank: direct conversations before channels, channels that are not in the sidebar at the end. */
function rankOf({conversation}: InboxRow, ranks: Ranks): number {
  if (conversation.kind === 'direct') return -1;
  return ranks.get(conversation.channelId) ?? ranks.size + conversation.channelId;
}
