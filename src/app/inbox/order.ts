import type {ConversationKey} from '#state/model/conversation.ts';
import type {InboxGroup} from '#state/selectors/inbox-groups.ts';
import {type InboxGroupId, type InboxRow, inboxGroupIds} from '#state/selectors/inbox-index.ts';
import {MappedList} from '#std/memo.ts';

/** Where a conversation stands, for as long as the order lasts. */
export interface Placed {
  readonly group: InboxGroupId;
  readonly at: number;
  /** The newest unread message when it was placed: what is newer was added since. */
  readonly newestId: number;
  /** It came after the order was made, and was not there before either. */
  readonly isNew: boolean;
}

export interface ArrangedRow {
  /** As it is now, or, for one that is no longer unread, as it was last. */
  readonly row: InboxRow;
  readonly placed: Placed;
  readonly isGone: boolean;
}

export interface ArrangedGroup {
  readonly id: InboxGroupId;
  readonly rows: readonly ArrangedRow[];
}

type Side = 'heard' | 'muted';

/**
 * The order of the inbox while somebody works in it: made from the rows of its beginning and never changed, so that no key
 * ever meets another conversation than the one that was under the cursor. Whatever comes later is added to the end of its
 * group, and what goes and comes back is where it was. A conversation moves only when it is muted or unmuted, and not even
 * then while the cursor is on it.
 *
 * It remembers what it has seen: one of these belongs to one screen.
 */
export class InboxOrder {
  readonly #places = {heard: new Map<ConversationKey, Placed>(), muted: new Map<ConversationKey, Placed>()};
  readonly #last = new Map<ConversationKey, ArrangedRow>();
  readonly #mapped = new Map(inboxGroupIds.map((id) => [id, new MappedList<InboxRow, ArrangedRow>()]));
  /** The one that is muted or unmuted and only stays because the cursor is on it. */
  #holding: ConversationKey | undefined;
  #round = 0;
  #count = 0;
  #first: ConversationKey | undefined;
  readonly #before: ReadonlySet<ConversationKey>;

  /** `before`: what was dealt with earlier and is no news when it is taken back. */
  constructor(before: Iterable<ConversationKey> = []) {
    this.#before = new Set(before);
  }

  /** The row at the top when the order was made: where the cursor begins. */
  get first(): ConversationKey | undefined {
    return this.#first;
  }

  /** How many conversations were there, one time or another, without the muted. */
  get size(): number {
    return this.#places.heard.size;
  }

  /** Whether it would not be where it was, if nothing held it. `now` is its row as it is now. */
  isLeaving(key: ConversationKey, now: InboxRow | undefined): boolean {
    const last = this.#last.get(key);
    return last !== undefined && (now === undefined || sideOf(now.group) !== sideOf(last.placed.group));
  }

  /**
   * The rows where they stand. `held` stays where it was, be it muted meanwhile or no longer unread. While nothing is
   * settled, because the server is still being asked and nobody has begun, the order is made anew each time.
   */
  arranged(
    groups: readonly InboxGroup[],
    isSettled: boolean,
    held?: ConversationKey,
  ): readonly ArrangedGroup[] {
    if (!isSettled) this.#forget();
    if (this.#holding !== held) this.#letGo();
    const isFirst = this.#count === 0;
    const placed = groups.map(({id, rows}) => ({id, rows: this.#arrangedRows(id, rows, isFirst, held)}));
    const gone = held === undefined ? undefined : this.#goneRow(held, placed);
    return whereTheyStand(placed, gone);
  }

  /** The one that is held, when it is no longer unread. */
  #goneRow(held: ConversationKey, groups: readonly ArrangedGroup[]): ArrangedRow | undefined {
    const last = this.#last.get(held);
    const isGone = last !== undefined && !groups.some(({rows}) => rows.some(({row}) => row.key === held));
    return isGone ? {...last, isGone} : undefined;
  }

  #arrangedRows(
    id: InboxGroupId,
    rows: readonly InboxRow[],
    isFirst: boolean,
    held: ConversationKey | undefined,
  ): readonly ArrangedRow[] {
    const make = (row: InboxRow) => this.#arrangedRow(row, isFirst, row.key === held);
    return this.#mapped.get(id)?.of(rows, make, this.#round) ?? [];
  }

  #letGo(): void {
    if (this.#holding === undefined) return;
    this.#holding = undefined;
    this.#round += 1;
  }

  #forget(): void {
    this.#round += 1;
    this.#places.heard.clear();
    this.#places.muted.clear();
    this.#last.clear();
    this.#count = 0;
  }

  #arrangedRow(row: InboxRow, isFirst: boolean, isHeld: boolean): ArrangedRow {
    const last = this.#last.get(row.key);
    const isStaying = isHeld && this.isLeaving(row.key, row);
    if (isStaying) this.#holding = row.key;
    const placed = (isStaying ? last?.placed : undefined) ?? this.#placed(row, isFirst);
    const arranged = {row, placed, isGone: false};
    this.#last.set(row.key, arranged);
    return arranged;
  }

  #placed(row: InboxRow, isFirst: boolean): Placed {
    const side = this.#places[sideOf(row.group)];
    const known = side.get(row.key);
    if (known !== undefined) return known;
    const isNew = !isFirst && !this.#last.has(row.key) && !this.#before.has(row.key);
    const placed = {group: row.group, at: this.#count++, newestId: row.newestUnreadId, isNew};
    side.set(row.key, placed);
    this.#first ??= row.group === 'muted' ? undefined : row.key;
    return placed;
  }
}

/** In the groups where they were placed, which mostly are those they belong to now. */
function whereTheyStand(
  groups: readonly ArrangedGroup[],
  gone: ArrangedRow | undefined,
): readonly ArrangedGroup[] {
  const away = groups.flatMap(({id, rows}) => rows.filter(({placed}) => placed.group !== id));
  const guests = gone === undefined ? away : [...away, gone];
  if (guests.length === 0) return groups.map(({id, rows}) => ({id, rows: ordered(rows)}));
  return groups.map(({id, rows}) => {
    const own = away.length === 0 ? rows : rows.filter(({placed}) => placed.group === id);
    const others = guests.filter(({placed}) => placed.group === id);
    return {id, rows: ordered(others.length === 0 ? own : [...own, ...others])};
  });
}

/** Mostly they are in order already. */
function ordered(rows: readonly ArrangedRow[]): readonly ArrangedRow[] {
  let last = -1;
  for (const {placed} of rows) {
    if (placed.at < last) return rows.toSorted((a, b) => a.placed.at - b.placed.at);
    last = placed.at;
  }
  return rows;
}

function sideOf(group: InboxGroupId): Side {
  return group === 'muted' ? 'muted' : 'heard';
}
