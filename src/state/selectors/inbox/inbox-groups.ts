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
    return groupOf(id, rows.sort(orderInGroup(id, ranks)));
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
  const order = orderInGroup(id, ranks);
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

/** The orders of the inbox that the user can choose. */
export type InboxSort = 'priority' | 'newest' | 'oldest' | 'channel';

/** The groups whose rows are sorted by channel. The rows of the others concern the user: the newest is first. */
export const groupsByChannel: ReadonlySet<InboxGroupId> = new Set(['pinned', 'channels', 'muted']);

/**
 * Every order compares the newest unread messages. These stay the same while a conversation is read from its start, so a row
 * that was read in part keeps its place.
 */
const newestFirst: Order = (a, b) => b.newestUnreadId - a.newestUnreadId;

function byChannel(ranks: Ranks): Order {
  return (a, b) => rankOf(a, ranks) - rankOf(b, ranks) || newestFirst(a, b);
}

function orderInGroup(id: InboxGroupId, ranks: Ranks): Order {
  return groupsByChannel.has(id) ? byChannel(ranks) : newestFirst;
}

/** Returns all rows of an inbox in an order, muted ones at the end. */
export function sortedInboxRows(
  {groups, ranks}: Pick<Inbox, 'groups' | 'ranks'>,
  sort: InboxSort,
): readonly InboxRow[] {
  const rowsOf = (isMuted: boolean) => groups.flatMap(({id, rows}) => ((id === 'muted') === isMuted ? rows : []));
  if (sort === 'priority') return [...rowsOf(false), ...rowsOf(true)];
  const order =
    sort === 'channel'
      ? byChannel(ranks)
      : sort === 'newest'
        ? newestFirst
        : (a: InboxRow, b: InboxRow) => newestFirst(b, a);
  return [...rowsOf(false).sort(order), ...rowsOf(true).sort(order)];
}

/** Returns the sort rank: direct conversations before channels, channels that are not in the sidebar at the end. */
function rankOf({conversation}: InboxRow, ranks: Ranks): number {
  if (conversation.kind === 'direct') return -1;
  return ranks.get(conversation.channelId) ?? ranks.size + conversation.channelId;
}
