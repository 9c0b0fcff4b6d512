import {
  type InboxChange,
  type InboxGroupId,
  type InboxIndex,
  type InboxRow,
  inboxGroupIds,
  inboxIndex,
} from './inbox-index.ts';

export interface InboxGroup {
  readonly id: InboxGroupId;
  readonly rows: readonly InboxRow[];
  /** Unread messages in all of them. */
  readonly messageCount: number;
}

type Ranks = ReadonlyMap<number, number>;
type Order = (a: InboxRow, b: InboxRow) => number;

/** With more changes than this it is quicker to sort anew. */
const fewChanges = 100;

/** The rows of the inbox in their groups and their order. */
export interface Inbox {
  readonly index: InboxIndex;
  readonly ranks: Ranks;
  readonly groups: readonly InboxGroup[];
}

/** Returns the inbox of a state. One change since the inbox `before` costs its group a copy, not a sorting. */
export function inboxOf(state: InboxIndex['state'], ranks: Ranks, before?: Inbox): Inbox {
  const {index, changes} = inboxIndex(state, before?.index);
  const isAnew = before === undefined || ranks !== before.ranks || changes.length > fewChanges;
  if (isAnew) return {index, ranks, groups: sortedGroups(index.rows.values(), ranks)};
  const isSame = changes.length === 0;
  const groups = isSame ? before.groups : before.groups.map((one) => changedGroup(one, changes, ranks));
  return {index, ranks, groups};
}

function sortedGroups(all: Iterable<InboxRow>, ranks: Ranks): readonly InboxGroup[] {
  const groups = new Map<InboxGroupId, InboxRow[]>(inboxGroupIds.map((id) => [id, []]));
  for (const row of all) groups.get(row.group)?.push(row);
  return inboxGroupIds.map((id) => groupOf(id, (groups.get(id) ?? []).sort(orderOf(id, ranks))));
}

function groupOf(id: InboxGroupId, rows: readonly InboxRow[]): InboxGroup {
  return {id, rows, messageCount: rows.reduce((sum, {count}) => sum + count, 0)};
}

function changedGroup(group: InboxGroup, changes: readonly InboxChange[], ranks: Ranks): InboxGroup {
  const {id} = group;
  const gone = new Set(changes.flatMap(({before}) => (before?.group === id ? [before] : [])));
  const come = changes.flatMap(({now}) => (now?.group === id ? [now] : []));
  if (gone.size === 0 && come.length === 0) return group;
  const rows = gone.size === 0 ? [...group.rows] : group.rows.filter((row) => !gone.has(row));
  const order = orderOf(id, ranks);
  for (const row of come) rows.splice(placeFor(row, rows, order), 0, row);
  return groupOf(id, rows);
}

/** By halving. */
function placeFor(row: InboxRow, rows: readonly InboxRow[], order: Order): number {
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

function orderOf(id: InboxGroupId, ranks: Ranks): Order {
  if (id === 'mentions' || id === 'direct') return byWaiting;
  return (a, b) => rankOf(a, ranks) - rankOf(b, ranks) || b.newestUnreadId - a.newestUnreadId;
}

function byWaiting(a: InboxRow, b: InboxRow): number {
  return a.oldestUnreadId - b.oldestUnreadId;
}

/** Direct conversations before channels, and those that the sidebar does not have at the end. */
function rankOf({conversation}: InboxRow, ranks: Ranks): number {
  if (conversation.kind === 'direct') return -1;
  return ranks.get(conversation.channelId) ?? ranks.size + conversation.channelId;
}
