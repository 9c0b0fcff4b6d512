import type {ConversationKey} from '#state/model/conversation.ts';
import {
  type Inbox,
  type InboxGroup,
  type InboxGroupId,
  type InboxRow,
  type InboxSort,
  isSortedByChannel,
  sortedInboxRows,
} from '#state/selectors/inbox/inbox.ts';
import {mappedFrom, memoByObject} from '#std/memo.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {
  type ArrangedRow,
  type InboxSide,
  type KnownRow,
  type KnownRows,
  positionAt,
  type RowPosition,
  RowPositioner,
  sideOf,
} from './row-positioner.ts';

/**
 * The order of the inbox while the user works in it: created from the rows at its start and never changed, so
 * that a key never acts on another conversation than the one under the cursor. Later rows are added to the
 * end of their group, or of their channel in a group with headings; a row that disappears and returns has its
 * old position. A conversation moves only when it is muted or unmuted, and not while the cursor is on it.
 *
 * An order is immutable: `withInbox` returns the order that includes later rows. The screen of a frame has
 * the order that it shows.
 */
export class InboxOrder {
  readonly #rows: OrderRows;
  readonly #keys: OrderKeys;
  #known: KnownRows | undefined;
  #arranged: readonly ArrangedGroup[] | undefined;
  /** What the rows are sorted by. With `priority` each group is a list; otherwise all but the muted rows are one list. */
  readonly sort: InboxSort;

  private constructor(sort: InboxSort, rows: OrderRows, keys: OrderKeys) {
    this.sort = sort;
    this.#rows = rows;
    this.#keys = keys;
    this.#known = rows.known;
  }

  /**
   * Creates an order. `handledKeys` were handled earlier and may return by undo; `sessionKeys` were in the
   * inbox earlier in this session.
   */
  static begin(
    sort: InboxSort,
    handledKeys: Iterable<ConversationKey> = [],
    sessionKeys: Iterable<ConversationKey> = [],
  ): InboxOrder {
    const keys = {returningKeys: new Set(handledKeys), sessionKeys: new Set(sessionKeys), renames: new Map()};
    return new InboxOrder(sort, {...noRows, sessionSize: keys.sessionKeys.size}, keys);
  }

  /** The first row when the order was created: the cursor starts there. */
  get firstKey(): ConversationKey | undefined {
    return this.#rows.firstKey;
  }

  /** The conversations that were in the inbox at any time of this session, without muted ones. */
  get sessionKeys(): ReadonlySet<ConversationKey> {
    return withUnmutedKeys(this.#keys.sessionKeys, this.#knownRows);
  }

  /** Number of `sessionKeys`. */
  get size(): number {
    return this.#rows.sessionSize;
  }

  /** Returns the last version of every row that was in the inbox. */
  rows(): readonly InboxRow[] {
    return [...this.#knownRows.values()].map(({latest}) => latest.row);
  }

  /** The rows in the groups of their positions. */
  get arrangedGroups(): readonly ArrangedGroup[] {
    this.#arranged ??= rowsByOriginalGroup(this.#rows.groups, this.#rows.removedRow);
    return this.#arranged;
  }

  /** The row under the cursor, when it is no longer unread and is shown only because of the cursor. */
  get removedRow(): ArrangedRow | undefined {
    return this.#rows.removedRow;
  }

  /**
   * Returns the order with these rows; the same object when it already has exactly these. The row under the
   * cursor keeps its position when it is no longer unread, and also when it was muted, if the cursor was
   * already there (`isCursorUnmoved`). While the order is not frozen, because the server has not answered and
   * the user has not started, it is created again from the current rows.
   */
  withInbox(inbox: Inbox, isFrozen: boolean, cursor?: ConversationKey, isCursorUnmoved = true): InboxOrder {
    const {count} = this.#rows;
    if (!isFrozen || count === 0) return this.#rebuilt(inbox);
    const now = cursor === undefined ? undefined : inbox.index.rows.get(cursor);
    const heldRow = cursor === undefined ? undefined : this.#rowHeldByCursor(cursor, now);
    const stayingKey = heldRow !== undefined && now !== undefined && isCursorUnmoved ? cursor : undefined;
    const removedRow = heldRow !== undefined && now === undefined ? this.#removedRow(heldRow) : undefined;
    const isSame = inbox.groups === this.#rows.source && stayingKey === this.#rows.stayingKey;
    if (!isSame) return this.#extended(inbox, stayingKey, removedRow);
    return removedRow === this.#rows.removedRow ? this : this.#with({...this.#rows, removedRow});
  }

  /** Returns the order in which a conversation has another key; if that key already exists, both become one row. */
  renamed(from: ConversationKey, to: ConversationKey, rowWithNewKey: (row: InboxRow) => InboxRow): InboxOrder {
    const newKey = (key: ConversationKey | undefined) => (key === from ? to : key);
    const {count, firstKey} = this.#rows;
    const known = this.#knownRows.edit((draft) => {
      const [renamedRow, existing] = [draft.get(from), draft.get(to)];
      if (renamedRow === undefined) return;
      draft.delete(from);
      const latest = existing?.latest ?? {...renamedRow.latest, row: rowWithNewKey(renamedRow.latest.row)};
      draft.set(to, {
        latest,
        ...joinedPosition('unmuted', renamedRow, existing),
        ...joinedPosition('muted', renamedRow, existing),
      });
    });
    const {returningKeys, sessionKeys, renames} = this.#keys;
    const otherRenames = [...renames].flatMap(([name, now]): [ConversationKey, ConversationKey][] =>
      name === to || name === from ? [] : [[name, now === from ? to : now]],
    );
    const newKeys: OrderKeys = {
      returningKeys: returningKeys.has(from) ? new Set([...returningKeys, to]) : returningKeys,
      sessionKeys: sessionKeys.has(from)
        ? new Set([...sessionKeys].map((key) => (key === from ? to : key)))
        : sessionKeys,
      renames: new Map([...otherRenames, [from, to]]),
    };
    const {size: sessionSize} = withUnmutedKeys(newKeys.sessionKeys, known);
    // The groups are left out, so that the next `withInbox` positions all rows again.
    return this.#with({...noRows, count, sessionSize, known, firstKey: newKey(firstKey)}, newKeys);
  }

  /** Returns the current key of a conversation that had this key in the order. */
  currentKey(key: ConversationKey): ConversationKey {
    return this.#keys.renames.get(key) ?? key;
  }

  /** Returns the former keys of a conversation in this order. */
  formerKeys(key: ConversationKey): readonly ConversationKey[] {
    if (this.#keys.renames.size === 0) return [];
    return [...this.#keys.renames].flatMap(([name, now]) => (now === key ? [name] : []));
  }

  /**
   * Returns the order to which these conversations return. They do not count as new; if they were not in this
   * order before, they get the position that a fresh order would give them.
   */
  withReturning(keys: readonly ConversationKey[]): InboxOrder {
    const {returningKeys} = this.#keys;
    if (keys.every((key) => returningKeys.has(key))) return this;
    return this.#with(this.#rows, {...this.#keys, returningKeys: new Set([...returningKeys, ...keys])});
  }

  #with(rows: OrderRows, keys = this.#keys): InboxOrder {
    return new InboxOrder(this.sort, rows, keys);
  }

  get #knownRows(): KnownRows {
    this.#known ??= SortedMap.from(this.#rows.groups.flatMap(({rows}) => rows.map(knownEntry)));
    return this.#known;
  }

  /** Returns the last version of a row if only the cursor keeps it in its position. `now` is the current row. */
  #rowHeldByCursor(key: ConversationKey, now: InboxRow | undefined): ArrangedRow | undefined {
    const latest = this.#knownRows.get(key)?.latest;
    if (latest === undefined) return undefined;
    const isLeaving = now === undefined || sideOf(now.group) !== sideOf(latest.position.group);
    return isLeaving ? latest : undefined;
  }

  #removedRow(latest: ArrangedRow): ArrangedRow {
    const {removedRow} = this.#rows;
    const isSame = removedRow?.row === latest.row && removedRow.position === latest.position;
    return isSame ? removedRow : {...latest, isRemoved: true};
  }

  #rebuilt(inbox: Inbox): InboxOrder {
    const {groups: source} = inbox;
    const {source: before, known, firstKey} = this.#rows;
    if (before === source && known === undefined) return this;
    const sorted = sortedInboxRows(inbox, this.sort);
    const count = sorted.length;
    const indexes = new Map(sorted.map((row, at) => [row, at]));
    const groups = source.map(({id, rows}) => ({
      id,
      rows: rows.map((row) => ({row, position: positionAt(row, indexes.get(row) ?? count, false), isRemoved: false})),
    }));
    const top = firstKey ?? sorted.find(({group}) => group !== 'muted')?.key;
    const {sessionKeys} = this.#keys;
    const unmuted = source.flatMap(({id, rows}) => (id === 'muted' ? [] : rows));
    const size = sessionKeys.size + unmuted.filter(({key}) => !sessionKeys.has(key)).length;
    const isThere = (key: ConversationKey) => source.some(({rows}) => rows.some((row) => row.key === key));
    return this.#with(
      {...noRows, source, groups, count, sessionSize: size, firstKey: top},
      this.#withoutReusedNames(isThere),
    );
  }

  #extended(inbox: Inbox, stayingKey: ConversationKey | undefined, removedRow: ArrangedRow | undefined): InboxOrder {
    const {groups: source} = inbox;
    const {count, sessionSize, firstKey, stayingKey: previousStayingKey} = this.#rows;
    const {returningKeys, sessionKeys} = this.#keys;
    const positioner = new RowPositioner({
      known: this.#knownRows,
      returningKeys,
      sessionKeys,
      count,
      sessionSize,
      firstKey,
      stayingKey,
      isByChannel: (group) => isSortedByChannel(this.sort, group),
      listAround: ({group}) =>
        this.sort === 'priority'
          ? {rows: source.find(({id}) => id === group)?.rows ?? [], has: (other) => other === group}
          : {rows: sortedInboxRows(inbox, this.sort), has: (other) => sideOf(other) === sideOf(group)},
    });
    // The row that stayed may be in any group, so all groups are positioned again.
    const isEveryGroup = previousStayingKey !== undefined && previousStayingKey !== stayingKey;
    const groups = source.map((group, at) => {
      const before = this.#rows.source[at];
      const arranged = this.#rows.groups[at];
      if (!isEveryGroup && arranged !== undefined && before === group) return arranged;
      const position = (row: InboxRow) => positioner.positioned(row);
      const rows =
        isEveryGroup || before === undefined || arranged === undefined
          ? group.rows.map(position)
          : mappedFrom(before.rows, arranged.rows, group.rows, position);
      return {id: group.id, rows};
    });
    const {result} = positioner;
    const isNew = (key: ConversationKey) => positioner.hasNewPosition(key);
    return this.#with({source, groups, stayingKey, removedRow, ...result}, this.#withoutReusedNames(isNew));
  }

  /** Drops renames of keys that are in use again: a new conversation with a former key is not the renamed one. */
  #withoutReusedNames(isThere: (key: ConversationKey) => boolean): OrderKeys {
    const {renames} = this.#keys;
    const left = [...renames].filter(([name]) => !isThere(name));
    return left.length === renames.size ? this.#keys : {...this.#keys, renames: new Map(left)};
  }
}

export interface OrderRows {
  /** The groups that the rows come from. */
  readonly source: readonly InboxGroup[];
  /** The same groups, with the position of each row. */
  readonly groups: readonly ArrangedGroup[];
  /** Number of assigned positions. */
  readonly count: number;
  /** Number of conversations of this session, without muted ones. */
  readonly sessionSize: number;
  /** Every conversation that was in the inbox; undefined when these are only those in the groups. */
  readonly known?: KnownRows | undefined;
  /** The first row when the order was created. */
  readonly firstKey?: ConversationKey | undefined;
  /** The row that was muted or unmuted and stays in its group only because the cursor is on it. */
  readonly stayingKey?: ConversationKey | undefined;
  /** The row under the cursor, when it is no longer unread. */
  readonly removedRow?: ArrangedRow | undefined;
}

/** The conversations of an order by their keys, over time. */
export interface OrderKeys {
  /** Conversations that return when they appear, and are not new: they were handled earlier. */
  readonly returningKeys: ReadonlySet<ConversationKey>;
  /** Conversations that were in the inbox before this order was created, without muted ones. */
  readonly sessionKeys: ReadonlySet<ConversationKey>;
  /** The current key of each renamed conversation, by its former key. */
  readonly renames: ReadonlyMap<ConversationKey, ConversationKey>;
}

/** The rows of an empty order. */
const noRows: OrderRows = {source: [], groups: [], count: 0, sessionSize: 0};

/** Returns the rows in the groups of their positions, which mostly are the groups they belong to now. */
function rowsByOriginalGroup(
  groups: readonly ArrangedGroup[],
  removedRow: ArrangedRow | undefined,
): readonly ArrangedGroup[] {
  const movedRows = groups.flatMap((group) => groupSplitOf(group).positionedElsewhere);
  if (removedRow !== undefined) movedRows.push(removedRow);
  return groups.map((group) => {
    const {positionedHere} = groupSplitOf(group);
    const others = movedRows.filter(({position}) => position.group === group.id);
    return {
      id: group.id,
      rows: others.length === 0 ? positionedHere : sortedByPosition([...positionedHere, ...others]),
    };
  });
}

/**
 * Returns the rows of a group that are positioned in it, in order, and those positioned in another group. Memoized by the group, whose object stays the same while nothing changes in it: for most groups at most keys.
 */
const groupSplitOf = memoByObject(({id, rows}: ArrangedGroup) => {
  const positionedElsewhere = rows.filter(({position}) => position.group !== id);
  const positionedHere = sortedByPosition(
    positionedElsewhere.length === 0 ? rows : rows.filter(({position}) => position.group === id),
  );
  return {positionedHere, positionedElsewhere};
});

/** Returns the rows sorted by position; mostly they are sorted already. */
function sortedByPosition(rows: readonly ArrangedRow[]): readonly ArrangedRow[] {
  let last = Number.NEGATIVE_INFINITY;
  for (const {position} of rows) {
    if (position.at < last) return rows.toSorted((a, b) => a.position.at - b.position.at);
    last = position.at;
  }
  return rows;
}

/** A group of the inbox with the positions of its rows. */
export interface ArrangedGroup {
  readonly id: InboxGroupId;
  readonly rows: readonly ArrangedRow[];
}

/** Returns the keys together with those of all known unmuted rows. */
function withUnmutedKeys(sessionKeys: ReadonlySet<ConversationKey>, known: KnownRows): Set<ConversationKey> {
  const all = new Set(sessionKeys);
  for (const [key, {unmuted}] of known) if (unmuted !== undefined) all.add(key);
  return all;
}

/**
 * Returns the position that a renamed conversation has on one side: its own, unless the other one was there
 * from the start.
 */
function joinedPosition(
  side: InboxSide,
  {[side]: own}: KnownRow,
  existing: KnownRow | undefined,
): Partial<Record<InboxSide, RowPosition>> {
  const other = existing?.[side];
  const joined = own !== undefined && (other === undefined || other.isNew) ? own : other;
  return joined === undefined ? {} : {[side]: joined};
}

/** Returns the entry of a row that has only its current position. */
function knownEntry(latest: ArrangedRow): [ConversationKey, KnownRow] {
  return [latest.row.key, {latest, [sideOf(latest.position.group)]: latest.position}];
}
