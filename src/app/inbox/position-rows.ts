import type {ConversationKey} from '#state/model/conversation.ts';
import type {InboxRow} from '#state/selectors/inbox/inbox-index.ts';
import {
  type ArrangedRow,
  type KnownRow,
  type KnownRows,
  positionAt,
  type RowPosition,
  sideOf,
} from './arranged-row.ts';

/** What an order knows before rows are placed in it. */
interface Before {
  readonly known: KnownRows;
  readonly welcome: ReadonlySet<ConversationKey>;
  readonly met: ReadonlySet<ConversationKey>;
  readonly count: number;
  readonly sessionSize: number;
  readonly first: ConversationKey | undefined;
  readonly staying: ConversationKey | undefined;
}

/** Finds places for the rows that an order does not hold yet: one pass over what changed, which leaves the order as it is. */
export class Placing {
  readonly #before: Before;
  readonly #changed = new Map<ConversationKey, KnownRow>();
  /** The places that were given in this pass. */
  readonly #given = new Map<ConversationKey, RowPosition>();
  #count: number;
  #size: number;
  #first: ConversationKey | undefined;

  constructor(before: Before) {
    this.#before = before;
    this.#count = before.count;
    this.#size = before.sessionSize;
    this.#first = before.first;
  }

  /** What the order knows with the rows of this pass. */
  get after(): Pick<Before, 'known' | 'count' | 'sessionSize' | 'first'> {
    const known = this.#before.known.edit((draft) => {
      for (const [key, row] of this.#changed) draft.set(key, row);
    });
    return {known, count: this.#count, sessionSize: this.#size, first: this.#first};
  }

  hasPlaced(key: ConversationKey): boolean {
    return this.#given.has(key);
  }

  /** Returns a row with its place; the same object as before when it says the same. `among`: all rows of its group. */
  arranged(row: InboxRow, among: readonly InboxRow[]): ArrangedRow {
    const known = this.#before.known.get(row.key);
    const isStaying = known !== undefined && row.key === this.#before.staying;
    const side = sideOf(row.group);
    const placed = isStaying ? known.shown.position : (known?.[side] ?? this.#newPlace(row, among));
    if (known?.shown.row === row && known.shown.position === placed) return known.shown;
    const shown = {row, position: placed, isRemoved: false};
    this.#changed.set(row.key, isStaying ? {...known, shown} : {...known, shown, [side]: placed});
    return shown;
  }

  #newPlace(row: InboxRow, among: readonly InboxRow[]): RowPosition {
    const {key, group} = row;
    const isBack = this.#isBack(row);
    if (isBack && !this.#given.has(key)) this.#placeBack(row, among);
    const isNew = !isBack && !this.#before.known.has(key);
    const placed = this.#given.get(key) ?? positionAt(row, this.#count++, isNew);
    this.#given.set(key, placed);
    if (group !== 'muted') {
      this.#first ??= key;
      if (!this.#before.met.has(key)) this.#size += 1;
    }
    return placed;
  }

  #isBack({key}: InboxRow): boolean {
    return this.#before.welcome.has(key) && !this.#before.known.has(key);
  }

  /**
   * Right before the row that comes next in the order of importance and was there from the beginning, with all that come back
   * to the same gap: one pass for each gap. What is followed by none comes at the end.
   */
  #placeBack(row: InboxRow, among: readonly InboxRow[]): void {
    const side = sideOf(row.group);
    const back: InboxRow[] = [];
    let next: number | undefined;
    for (const one of among.slice(among.indexOf(row))) {
      const placed = this.#given.get(one.key) ?? this.#before.known.get(one.key)?.[side];
      next = placed?.isNew === false && placed.group === row.group ? placed.at : undefined;
      if (next !== undefined) break;
      if (placed === undefined && this.#isBack(one)) back.push(one);
    }
    if (next === undefined) return;
    const from = Math.max(this.#lastBefore(next, side === 'muted'), next - 1);
    const step = (next - from) / (back.length + 1);
    for (const [index, one] of back.entries()) {
      this.#given.set(one.key, positionAt(one, from + step * (index + 1), false));
    }
  }

  /** The last place on one side before another one. */
  #lastBefore(next: number, isMuted: boolean): number {
    let before = Number.NEGATIVE_INFINITY;
    const look = (placed: RowPosition | undefined) => {
      if (placed !== undefined && placed.at < next && placed.at > before) before = placed.at;
    };
    for (const {heard, muted} of this.#before.known.values()) look(isMuted ? muted : heard);
    for (const placed of this.#given.values()) if ((placed.group === 'muted') === isMuted) look(placed);
    return before;
  }
}
