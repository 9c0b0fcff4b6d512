import {type ConversationKey, channelIdOf} from '#state/model/conversation.ts';
import type {InboxGroupId, InboxRow} from '#state/selectors/inbox/inbox.ts';
import type {SortedMap} from '#std/sorted-map.ts';
import type {OrderKeys, OrderRows} from './inbox-order.ts';

/** The parts of an order that positions depend on. */
type PositionerInput = Pick<OrderRows, 'count' | 'sessionSize' | 'firstKey' | 'stayingKey'> &
  Pick<OrderKeys, 'returningKeys' | 'sessionKeys'> & {
    readonly known: KnownRows;
    /** Whether the rows of a group are sorted by channel, under headings. */
    readonly isByChannel: (group: InboxGroupId) => boolean;
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
    const position = this.#newPositions.get(key) ?? positionAt(row, this.#nextPosition(row, isNew), isNew);
    this.#newPositions.set(key, position);
    if (group !== 'muted') {
      this.#firstKey ??= key;
      if (!this.#input.sessionKeys.has(key)) this.#sessionSize += 1;
    }
    return position;
  }

  /** Returns the position of a row that is added: behind the rows of its channel where a heading names it, otherwise at the end. */
  #nextPosition(row: InboxRow, isNew: boolean): number {
    const end = this.#count++;
    if (!isNew || !this.#input.isByChannel(row.group)) return end;
    const list = this.#input.listAround(row);
    const side = sideOf(row.group);
    const channelId = channelIdOf(row.conversation);
    const inList: {readonly at: number; readonly isSameChannel: boolean}[] = [];
    for (const rows of [this.#input.known, this.#changed])
      for (const known of rows.values()) {
        const position = known[side];
        if (position === undefined || !list.has(position.group)) continue;
        inList.push({at: position.at, isSameChannel: channelIdOf(known.latest.row.conversation) === channelId});
      }
    const last = Math.max(...inList.flatMap(({at, isSameChannel}) => (isSameChannel ? [at] : [])));
    const next = Math.min(...inList.flatMap(({at}) => (at > last ? [at] : [])));
    if (!Number.isFinite(last) || !Number.isFinite(next)) return end;
    // Grows with each row, so that any number of them fits before the next whole number.
    const at = Math.floor(last) + 1 - 1 / (end + 2);
    return at > last && at < next ? at : (last + next) / 2;
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

/** The position of a conversation in a frozen order. */
export interface RowPosition {
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

/** The two parts of the inbox. A conversation has a position in each, because muting moves it between them. */
export type InboxSide = 'unmuted' | 'muted';

/** The last version of a conversation that is or was in the inbox, and its positions. */
export interface KnownRow extends Readonly<Partial<Record<InboxSide, RowPosition>>> {
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
