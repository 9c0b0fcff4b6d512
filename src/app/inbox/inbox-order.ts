import type {ConversationKey} from '#state/model/conversation.ts';
import type {InboxGroup} from '#state/selectors/inbox/inbox-groups.ts';
import {type InboxGroupId, type InboxRow, inboxGroupIds} from '#state/selectors/inbox/inbox-index.ts';
import {IncrementalMapper} from '#std/memo.ts';
import type {ArrangedGroup, ArrangedRow, RowPosition} from './arranged-row.ts';
import {rowsByOriginalGroup} from './rows-by-original-group.ts';

type InboxSide = 'heard' | 'muted';

/**
 * The order of the inbox while somebody works in it: made from the rows of its beginning and never changed, so that no key
 * ever meets another conversation than the one that was under the cursor. Whatever comes later is added to the end of its
 * group, and what goes and comes back is where it was. A conversation moves only when it is muted or unmuted, and not even
 * then while the cursor is on it.
 *
 * It remembers what it has seen: one of these belongs to one screen.
 */
export class InboxOrder {
  readonly #places = {
    heard: new Map<ConversationKey, RowPosition>(),
    muted: new Map<ConversationKey, RowPosition>(),
  };
  readonly #last = new Map<ConversationKey, ArrangedRow>();
  readonly #mapped = new Map(inboxGroupIds.map((id) => [id, new IncrementalMapper<InboxRow, ArrangedRow>()]));
  /** The one that is muted or unmuted and only stays because the cursor is on it. */
  #holding: ConversationKey | undefined;
  #round = 0;
  #count = 0;
  #first: ConversationKey | undefined;
  /** What is no news when it comes, but comes back. */
  readonly #welcome: Set<ConversationKey>;
  /** What conversations are called by now, by what they were called. */
  readonly #names = new Map<ConversationKey, ConversationKey>();

  /** What was there before this order was made, without the muted. */
  readonly #met: Set<ConversationKey>;
  #counted = {heard: -1, sessionSize: 0};

  /** `before`: what was dealt with earlier, and may be taken back. `met`: what was there earlier in the same session. */
  constructor(before: Iterable<ConversationKey> = [], sessionKeys: Iterable<ConversationKey> = []) {
    this.#welcome = new Set(before);
    this.#met = new Set(sessionKeys);
  }

  /** The row at the top when the order was made: where the cursor begins. */
  get firstKey(): ConversationKey | undefined {
    return this.#first;
  }

  /** The conversations that were there, one time or another in this session, without the muted. */
  get met(): ReadonlySet<ConversationKey> {
    return new Set([...this.#met, ...this.#places.heard.keys()]);
  }

  /** How many those are. */
  get size(): number {
    const {heard} = this.#places;
    if (this.#met.size === 0) return heard.size;
    if (this.#counted.heard !== heard.size) this.#counted = {heard: heard.size, sessionSize: this.met.size};
    return this.#counted.sessionSize;
  }

  /** Whether it would not be where it was, if nothing held it. `now` is its row as it is now. */
  isLeaving(key: ConversationKey, now: InboxRow | undefined): boolean {
    const last = this.#last.get(key);
    return last !== undefined && (now === undefined || sideOf(now.group) !== sideOf(last.position.group));
  }

  /** Every row that was there, as it was last. */
  rows(): readonly InboxRow[] {
    return [...this.#last.values()].map(({row}) => row);
  }

  /** What goes by another name stands where it stood; where something else had that name already, it joins that. */
  rename(from: ConversationKey, to: ConversationKey, renamed: (row: InboxRow) => InboxRow): void {
    for (const side of [this.#places.heard, this.#places.muted]) {
      const [placed, there] = [side.get(from), side.get(to)];
      if (placed === undefined) continue;
      side.delete(from);
      if (there === undefined || there.isNew) side.set(to, placed);
    }
    if (this.#met.delete(from)) this.#met.add(to);
    const last = this.#last.get(from);
    this.#last.delete(from);
    if (last !== undefined && !this.#last.has(to)) this.#last.set(to, {...last, row: renamed(last.row)});
    if (this.#first === from) this.#first = to;
    if (this.#holding === from) this.#holding = to;
    if (this.#welcome.has(from)) this.#welcome.add(to);
    this.#names.delete(to);
    for (const [name, now] of this.#names) if (now === from) this.#names.set(name, to);
    this.#names.set(from, to);
    this.#round += 1;
  }

  /** What a conversation is called now that was called so in this order. */
  currentKey(key: ConversationKey): ConversationKey {
    return this.#names.get(key) ?? key;
  }

  /** What a conversation was called in this order before. */
  formerKeys(key: ConversationKey): readonly ConversationKey[] {
    if (this.#names.size === 0) return [];
    return [...this.#names].flatMap(([name, now]) => (now === key ? [name] : []));
  }

  /** These come back: they are no news, and if they were not there before, stand where a fresh order would have them. */
  expectReturn(keys: Iterable<ConversationKey>): void {
    for (const key of keys) this.#welcome.add(key);
  }

  /**
   * The rows where they stand. `held` stays where it was, be it muted meanwhile or no longer unread. While nothing is
   * settled, because the server is still being asked and nobody has begun, the order is made anew each time.
   */
  arrangedGroups(
    groups: readonly InboxGroup[],
    isSettled: boolean,
    held?: ConversationKey,
  ): readonly ArrangedGroup[] {
    if (!isSettled) this.#forget();
    if (this.#holding !== held) this.#letGo();
    const isFirst = this.#count === 0;
    const placed = groups.map(({id, rows}) => ({id, rows: this.#arrangedRows(id, rows, isFirst, held)}));
    const gone = held === undefined ? undefined : this.#goneRow(held, placed);
    return rowsByOriginalGroup(placed, gone);
  }

  /** The one that is held, when it is no longer unread. */
  #goneRow(held: ConversationKey, groups: readonly ArrangedGroup[]): ArrangedRow | undefined {
    const last = this.#last.get(held);
    const isGone = last !== undefined && !groups.some(({rows}) => rows.some(({row}) => row.key === held));
    return isGone ? {...last, isRemoved: isGone} : undefined;
  }

  #arrangedRows(
    id: InboxGroupId,
    rows: readonly InboxRow[],
    isFirst: boolean,
    held: ConversationKey | undefined,
  ): readonly ArrangedRow[] {
    const make = (row: InboxRow) => this.#arrangedRow(row, rows, isFirst, row.key === held);
    return this.#mapped.get(id)?.map(rows, make, this.#round) ?? [];
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

  #arrangedRow(row: InboxRow, among: readonly InboxRow[], isFirst: boolean, isHeld: boolean): ArrangedRow {
    const renamed = this.#renamedSince(row);
    if (renamed !== undefined) return {row, position: renamed.position, isRemoved: false};
    const last = this.#last.get(row.key);
    const isStaying = isHeld && this.isLeaving(row.key, row);
    if (isStaying) this.#holding = row.key;
    const position = (isStaying ? last?.position : undefined) ?? this.#placed(row, among, isFirst);
    const arranged = {row, position, isRemoved: false};
    this.#last.set(row.key, arranged);
    return arranged;
  }

  /** A picture of before it was renamed may be looked at again: that is nothing new by the old name. */
  #renamedSince({key, oldestUnreadId, newestUnreadId}: InboxRow): ArrangedRow | undefined {
    const name = this.#names.get(key);
    const now = name === undefined ? undefined : this.#last.get(name);
    const isSame = now?.row.oldestUnreadId === oldestUnreadId || now?.row.newestUnreadId === newestUnreadId;
    return isSame ? now : undefined;
  }

  #placed(row: InboxRow, among: readonly InboxRow[], isFirst: boolean): RowPosition {
    const side = this.#places[sideOf(row.group)];
    const known = side.get(row.key);
    if (known !== undefined) return known;
    const isBack = !isFirst && this.#isBack(row);
    if (isBack) this.#placeBack(row, among);
    const isNew = !isFirst && !this.#last.has(row.key) && !isBack;
    const placed = side.get(row.key) ?? positionAt(row, this.#count++, isNew);
    side.set(row.key, placed);
    this.#names.delete(row.key);
    this.#first ??= row.group === 'muted' ? undefined : row.key;
    return placed;
  }

  #isBack({key}: InboxRow): boolean {
    return this.#welcome.has(key) && !this.#last.has(key);
  }

  /**
   * Right before the row that comes next in the order of importance and was there from the beginning, with all that come back
   * to the same gap: one pass for each gap. What is followed by none comes at the end.
   */
  #placeBack(row: InboxRow, among: readonly InboxRow[]): void {
    const side = this.#places[sideOf(row.group)];
    const back: InboxRow[] = [];
    let next: number | undefined;
    for (const one of among.slice(among.indexOf(row))) {
      const placed = side.get(one.key);
      next = placed?.isNew === false && placed.group === row.group ? placed.at : undefined;
      if (next !== undefined) break;
      if (placed === undefined && this.#isBack(one)) back.push(one);
    }
    if (next === undefined) return;
    let before = Number.NEGATIVE_INFINITY;
    for (const {at} of side.values()) if (at < next && at > before) before = at;
    const from = Math.max(before, next - 1);
    const step = (next - from) / (back.length + 1);
    for (const [index, one] of back.entries()) {
      side.set(one.key, positionAt(one, from + step * (index + 1), false));
    }
  }
}

function positionAt({group, newestUnreadId}: InboxRow, at: number, isNew: boolean): RowPosition {
  return {group, at, newestId: newestUnreadId, isNew};
}

function sideOf(group: InboxGroupId): InboxSide {
  return group === 'muted' ? 'muted' : 'heard';
}
