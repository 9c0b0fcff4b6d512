import type {ConversationKey} from '#state/model/conversation.ts';
import type {InboxGroup, InboxGroupId, InboxRow} from '#state/selectors/inbox/inbox.ts';
import type {SortedMap} from '#std/sorted-map.ts';

/** The parts of an order that positions depend on. */
type PositionerInput = Pick<OrderRows, 'count' | 'sessionSize' | 'firstKey' | 'stayingKey'> &
  Pick<OrderKeys, 'returningKeys' | 'sessionKeys'> & {
    readonly known: KnownRows;
    /** Returns all rows of the list that a row is sorted in, and whether the list has the rows of a group. */
    readonly listAround: (row: InboxRow) => {
      readonly rows: readonly InboxRow[];
      readonly has: (group: InboxGroupId) => boolean;
    };
  };

/**
 * Assigns positions to the rows that an order does not have yet: one pass over the changes, which leaves the
 * order itself unchanged.
 */
export class RowPositioner {
  readonly #input: PositionerInput;
  readonly #changed = new Map<ConversationKey, KnownRow>();
  /** The positions assigned in this pass. */
  readonly #newPositions = new Map<ConversationKey, RowPosition>();
  #count: number;
  #sessionSize: number;
  #firstKey: ConversationKey | undefined;

  constructor(input: PositionerInput) {
    this.#input = input;
    this.#count = input.count;
    this.#sessionSize = input.sessionSize;
    this.#firstKey = input.firstKey;
  }

  /** The parts of the order that this pass changes. */
  get result(): Pick<PositionerInput, 'known' | 'count' | 'sessionSize' | 'firstKey'> {
    const known = this.#input.known.edit((draft) => {
      for (const [key, row] of this.#changed) draft.set(key, row);
    });
    return {known, count: this.#count, sessionSize: this.#sessionSize, firstKey: this.#firstKey};
  }

  hasNewPosition(key: ConversationKey): boolean {
    return this.#newPositions.has(key);
  }

  /** Returns a row with its position; the previous object when nothing changed. */
  positioned(row: InboxRow): ArrangedRow {
    const known = this.#input.known.get(row.key);
    const isStaying = known !== undefined && row.key === this.#input.stayingKey;
    const side = sideOf(row.group);
    const position = isStaying ? known.latest.position : (known?.[side] ?? this.#newPosition(row));
    if (known?.latest.row === row && known.latest.position === position) return known.latest;
    const latest = {row, position, isRemoved: false};
    this.#changed.set(row.key, isStaying ? {...known, latest} : {...known, latest, [side]: position});
    return latest;
  }

  #newPosition(row: InboxRow): RowPosition {
    const {key, group} = row;
    const isReturning = this.#isReturning(row);
    if (isReturning && !this.#newPositions.has(key)) this.#positionReturningRows(row);
    const isNew = !isReturning && !this.#input.known.has(key);
    const position = this.#newPositions.get(key) ?? positionAt(row, this.#count++, isNew);
    this.#newPositions.set(key, position);
    if (group !== 'muted') {
      this.#firstKey ??= key;
      if (!this.#input.sessionKeys.has(key)) this.#sessionSize += 1;
    }
    return position;
  }

  #isReturning({key}: InboxRow): boolean {
    return this.#input.returningKeys.has(key) && !this.#input.known.has(key);
  }

  /**
   * Assigns positions to all returning rows of a gap at once: right before the next row in the order of
   * their list that was there from the start. Returning rows after the last such row go to the end.
   */
  #positionReturningRows(row: InboxRow): void {
    const list = this.#input.listAround(row);
    const side = sideOf(row.group);
    const returningRows: InboxRow[] = [];
    let next: number | undefined;
    for (const other of list.rows.slice(list.rows.indexOf(row))) {
      const position = this.#newPositions.get(other.key) ?? this.#input.known.get(other.key)?.[side];
      next = position?.isNew === false && list.has(position.group) ? position.at : undefined;
      if (next !== undefined) break;
      if (position === undefined && this.#isReturning(other)) returningRows.push(other);
    }
    if (next === undefined) return;
    const from = Math.max(this.#lastPositionBefore(next, side === 'muted'), next - 1);
    const step = (next - from) / (returningRows.length + 1);
    for (const [index, other] of returningRows.entries()) {
      this.#newPositions.set(other.key, positionAt(other, from + step * (index + 1), false));
    }
  }

  /** Returns the last position on one side before another one. */
  #lastPositionBefore(next: number, isMuted: boolean): number {
    let last = Number.NEGATIVE_INFINITY;
    const consider = (position: RowPosition | undefined) => {
      if (position !== undefined && position.at < next && position.at > last) last = position.at;
    };
    for (const {unmuted, muted} of this.#input.known.values()) consider(isMuted ? muted : unmuted);
    for (const position of this.#newPositions.values())
      if ((position.group === 'muted') === isMuted) consider(position);
    return last;
  }
}

/** The rows of an order. */
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
  readonly known: KnownRows | undefined;
  /** The first row when the order was created. */
  readonly firstKey: ConversationKey | undefined;
  /** The row that was muted or unmuted and stays in its group only because the cursor is on it. */
  readonly stayingKey: ConversationKey | undefined;
  /** The row under the cursor, when it is no longer unread. */
  readonly removedRow: ArrangedRow | undefined;
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
export const noRows: OrderRows = {
  source: [],
  groups: [],
  count: 0,
  sessionSize: 0,
  known: undefined,
  firstKey: undefined,
  stayingKey: undefined,
  removedRow: undefined,
};

/** The rows of a group, split by the group of their position. */
interface GroupSplit {
  /** Positioned in this group, in order. */
  readonly positionedHere: readonly ArrangedRow[];
  /** Positioned in another group. */
  readonly positionedElsewhere: readonly ArrangedRow[];
}

/** Keyed by the group, whose object stays the same while nothing changes in it: for most groups at most keys. */
const groupSplits = new WeakMap<ArrangedGroup, GroupSplit>();

/** Returns the rows in the groups of their positions, which mostly are the groups they belong to now. */
export function rowsByOriginalGroup(
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

function groupSplitOf(group: ArrangedGroup): GroupSplit {
  const cached = groupSplits.get(group);
  if (cached !== undefined) return cached;
  const {id, rows} = group;
  const positionedElsewhere = rows.filter(({position}) => position.group !== id);
  const positionedHere = sortedByPosition(
    positionedElsewhere.length === 0 ? rows : rows.filter(({position}) => position.group === id),
  );
  const split = {positionedHere, positionedElsewhere};
  groupSplits.set(group, split);
  return split;
}

/** Returns the rows sorted by position; mostly they are sorted already. */
function sortedByPosition(rows: readonly ArrangedRow[]): readonly ArrangedRow[] {
  let last = Number.NEGATIVE_INFINITY;
  for (const {position} of rows) {
    if (position.at < last) return rows.toSorted((a, b) => a.position.at - b.position.at);
    last = position.at;
  }
  return rows;
}

/** The position of a conversation in a frozen order. */
interface RowPosition {
  readonly group: InboxGroupId;
  readonly at: number;
  /** The newest unread message when the position was assigned: newer ones were added since. */
  readonly newestId: number;
  /** Its time, if it was known then, in seconds since the epoch. */
  readonly newestAt: number | undefined;
  /** Whether the conversation arrived after the order was created and was not in an earlier one. */
  readonly isNew: boolean;
}

/** A row of the inbox with its position. */
export interface ArrangedRow {
  /** The row as it is now, or its last version when it is no longer unread. */
  readonly row: InboxRow;
  readonly position: RowPosition;
  readonly isRemoved: boolean;
}

/** A group of the inbox with the positions of its rows. */
export interface ArrangedGroup {
  readonly id: InboxGroupId;
  readonly rows: readonly ArrangedRow[];
}

/** The two parts of the inbox. A conversation has a position in each, because muting moves it between them. */
type InboxSide = 'unmuted' | 'muted';

/** The last version of a conversation that is or was in the inbox, and its positions. */
interface KnownRow extends Readonly<Partial<Record<InboxSide, RowPosition>>> {
  /** The last version of the row. */
  readonly latest: ArrangedRow;
}

export type KnownRows = SortedMap<ConversationKey, KnownRow>;

export function positionAt({group, newestUnreadId, newestUnreadAt}: InboxRow, at: number, isNew: boolean): RowPosition {
  return {group, at, newestId: newestUnreadId, newestAt: newestUnreadAt, isNew};
}

export function sideOf(group: InboxGroupId): InboxSide {
  return group === 'muted' ? 'muted' : 'unmuted';
}

/** Returns the keys together with those of all known unmuted rows. */
export function withUnmutedKeys(sessionKeys: ReadonlySet<ConversationKey>, known: KnownRows): Set<ConversationKey> {
  const all = new Set(sessionKeys);
  for (const [key, {unmuted}] of known) if (unmuted !== undefined) all.add(key);
  return all;
}

/**
 * Returns the position that a renamed conversation has on one side: its own, unless the other one was there
 * from the start.
 */
export function joinedPosition(
  side: InboxSide,
  {[side]: own}: KnownRow,
  existing: KnownRow | undefined,
): Partial<Record<InboxSide, RowPosition>> {
  const other = existing?.[side];
  const joined = own !== undefined && (other === undefined || other.isNew) ? own : other;
  return joined === undefined ? {} : {[side]: joined};
}

/** Returns the entry of a row that has only its current position. */
export function knownEntry(latest: ArrangedRow): [ConversationKey, KnownRow] {
  return [latest.row.key, {latest, [sideOf(latest.position.group)]: latest.position}];
}
