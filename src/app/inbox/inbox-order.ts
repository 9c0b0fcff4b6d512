import type {ConversationKey} from '#state/model/conversation.ts';
import type {Inbox, InboxGroup} from '#state/selectors/inbox/inbox-groups.ts';
import type {InboxRow} from '#state/selectors/inbox/inbox-index.ts';
import {mappedFrom, memoizeLast} from '#std/memo.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {
  type ArrangedGroup,
  type ArrangedRow,
  type InboxSide,
  type KnownRow,
  type KnownRows,
  positionAt,
  type RowPosition,
  sideOf,
} from './arranged-row.ts';
import {Placing} from './position-rows.ts';
import {rowsByOriginalGroup} from './rows-by-original-group.ts';

/** The rows that an order holds. */
interface Rows {
  /** The groups that the rows come from. */
  readonly source: readonly InboxGroup[];
  /** The same groups, with the place of each row. */
  readonly groups: readonly ArrangedGroup[];
  /** How many places were given. */
  readonly count: number;
  /** How many conversations were there in this session, without the muted. */
  readonly sessionSize: number;
  /** Every conversation that was there; undefined: no others than those in the groups. */
  readonly known: KnownRows | undefined;
  /** The row at the top when the order was made. */
  readonly first: ConversationKey | undefined;
  /** The muted or unmuted row that only stays in its group because the cursor is on it. */
  readonly staying: ConversationKey | undefined;
  /** The row under the cursor, when it is no longer unread. */
  readonly gone: ArrangedRow | undefined;
}

/** What an order knows of its conversations besides their rows. */
interface Names {
  /** What is no news when it comes, but comes back. */
  readonly welcome: ReadonlySet<ConversationKey>;
  /** What was there before this order was made, without the muted. */
  readonly met: ReadonlySet<ConversationKey>;
  /** What conversations are called by now, by what they were called. */
  readonly names: ReadonlyMap<ConversationKey, ConversationKey>;
}

const noRows: Rows = {
  source: [],
  groups: [],
  count: 0,
  sessionSize: 0,
  known: undefined,
  first: undefined,
  staying: undefined,
  gone: undefined,
};

/**
 * The order of the inbox while somebody works in it: made from the rows of its beginning and never changed, so that no key
 * ever meets another conversation than the one that was under the cursor. Whatever comes later is added to the end of its
 * group, and what goes and comes back is where it was. A conversation moves only when it is muted or unmuted, and not even
 * then while the cursor is on it.
 *
 * It is a value: `with` gives the order that also knows of later rows. What a picture shows is in the order of its screen.
 */
export class InboxOrder {
  readonly #rows: Rows;
  readonly #names: Names;
  #known: KnownRows | undefined;
  #arranged: readonly ArrangedGroup[] | undefined;

  private constructor(rows: Rows, names: Names) {
    this.#rows = rows;
    this.#names = names;
    this.#known = rows.known;
  }

  /** `before`: what was dealt with earlier, and may be taken back. `met`: what was there earlier in the same session. */
  static begin(
    before: Iterable<ConversationKey> = [],
    sessionKeys: Iterable<ConversationKey> = [],
  ): InboxOrder {
    const names = {welcome: new Set(before), met: new Set(sessionKeys), names: new Map()};
    return new InboxOrder({...noRows, sessionSize: names.met.size}, names);
  }

  /** The row at the top when the order was made: where the cursor begins. */
  get firstKey(): ConversationKey | undefined {
    return this.#rows.first;
  }

  /** The conversations that were there, one time or another in this session, without the muted. */
  get met(): ReadonlySet<ConversationKey> {
    return metAmong(this.#names.met, this.#knownRows);
  }

  /** How many those are. */
  get size(): number {
    return this.#rows.sessionSize;
  }

  /** Every row that was there, as it was last. */
  rows(): readonly InboxRow[] {
    return [...this.#knownRows.values()].map(({shown}) => shown.row);
  }

  /** The rows where they stand. */
  get arrangedGroups(): readonly ArrangedGroup[] {
    this.#arranged ??= rowsByOriginalGroup(this.#rows.groups, this.#rows.gone);
    return this.#arranged;
  }

  /** The row under the cursor, when it is no longer unread and only stays for the cursor. */
  get gone(): ArrangedRow | undefined {
    return this.#rows.gone;
  }

  /**
   * Returns the order with these rows in it; the same object when it holds just these. The row under the cursor stays where it
   * was, be it no longer unread or, if the cursor was there before (`isStill`), muted meanwhile. While nothing is settled, because the server is still being asked and
   * nobody has begun, the order is made anew from the rows that there are.
   */
  with(inbox: Inbox, isSettled: boolean, cursor?: ConversationKey, isStill = true): InboxOrder {
    return this.#next(inbox, isSettled, cursor, isStill);
  }

  /** The same object for the same rows, which are asked about by many before the order is settled with them. */
  readonly #next = memoizeLast(
    (inbox: Inbox, isSettled: boolean, cursor: ConversationKey | undefined, isStill: boolean): InboxOrder => {
      const {count} = this.#rows;
      if (!isSettled || count === 0) return this.#anew(inbox.groups);
      const now = cursor === undefined ? undefined : inbox.index.rows.get(cursor);
      const held = cursor === undefined ? undefined : this.#leaving(cursor, now);
      const staying = held !== undefined && now !== undefined && isStill ? cursor : undefined;
      const gone = held !== undefined && now === undefined ? this.#goneRow(held) : undefined;
      const isSame = inbox.groups === this.#rows.source && staying === this.#rows.staying;
      if (!isSame) return this.#later(inbox.groups, staying, gone);
      return gone === this.#rows.gone ? this : new InboxOrder({...this.#rows, gone}, this.#names);
    },
  );

  /** Returns the order where a conversation goes by another name; where something else had it already, it joins that. */
  renamed(from: ConversationKey, to: ConversationKey, renamedRow: (row: InboxRow) => InboxRow): InboxOrder {
    const named = (key: ConversationKey | undefined) => (key === from ? to : key);
    const {count, first} = this.#rows;
    const known = this.#knownRows.edit((draft) => {
      const [moving, there] = [draft.get(from), draft.get(to)];
      if (moving === undefined) return;
      draft.delete(from);
      const shown = there?.shown ?? {...moving.shown, row: renamedRow(moving.shown.row)};
      draft.set(to, {
        shown,
        ...joinedPlace('heard', moving, there),
        ...joinedPlace('muted', moving, there),
      });
    });
    const {welcome, met, names} = this.#names;
    const otherNames = [...names].flatMap(([name, now]): [ConversationKey, ConversationKey][] =>
      name === to || name === from ? [] : [[name, now === from ? to : now]],
    );
    const namesNow: Names = {
      welcome: welcome.has(from) ? new Set([...welcome, to]) : welcome,
      met: met.has(from) ? new Set([...met].map((key) => (key === from ? to : key))) : met,
      names: new Map([...otherNames, [from, to]]),
    };
    const {size} = metAmong(namesNow.met, known);
    // Without the rows by group: all of them find their places again.
    return new InboxOrder({...noRows, count, sessionSize: size, known, first: named(first)}, namesNow);
  }

  /** What a conversation is called now that was called so in this order. */
  currentKey(key: ConversationKey): ConversationKey {
    return this.#names.names.get(key) ?? key;
  }

  /** What a conversation was called in this order before. */
  formerKeys(key: ConversationKey): readonly ConversationKey[] {
    if (this.#names.names.size === 0) return [];
    return [...this.#names.names].flatMap(([name, now]) => (now === key ? [name] : []));
  }

  /**
   * Returns the order to which these come back: they are no news, and if they were not there before, stand where a fresh order
   * would have them.
   */
  welcoming(keys: readonly ConversationKey[]): InboxOrder {
    const {welcome} = this.#names;
    if (keys.every((key) => welcome.has(key))) return this;
    return new InboxOrder(this.#rows, {...this.#names, welcome: new Set([...welcome, ...keys])});
  }

  get #knownRows(): KnownRows {
    this.#known ??= SortedMap.from(this.#rows.groups.flatMap(({rows}) => rows.map(knownEntry)));
    return this.#known;
  }

  /** The row as it was last, if it would not be where it was without the cursor. `now` is its row as it is now. */
  #leaving(key: ConversationKey, now: InboxRow | undefined): ArrangedRow | undefined {
    const shown = this.#knownRows.get(key)?.shown;
    if (shown === undefined) return undefined;
    const isLeaving = now === undefined || sideOf(now.group) !== sideOf(shown.position.group);
    return isLeaving ? shown : undefined;
  }

  #goneRow(shown: ArrangedRow): ArrangedRow {
    const {gone} = this.#rows;
    const isSame = gone?.row === shown.row && gone.position === shown.position;
    return isSame ? gone : {...shown, isRemoved: true};
  }

  #anew(source: readonly InboxGroup[]): InboxOrder {
    const {source: before, known, first} = this.#rows;
    if (before === source && known === undefined) return this;
    let count = 0;
    const groups = source.map(({id, rows}) => ({
      id,
      rows: rows.map((row) => ({row, position: positionAt(row, count++, false), isRemoved: false})),
    }));
    const top = first ?? source.find(({id, rows}) => id !== 'muted' && rows.length > 0)?.rows[0]?.key;
    const {met} = this.#names;
    const heard = source.flatMap(({id, rows}) => (id === 'muted' ? [] : rows));
    const size = met.size + heard.filter(({key}) => !met.has(key)).length;
    const isThere = (key: ConversationKey) => source.some(({rows}) => rows.some((row) => row.key === key));
    return new InboxOrder(
      {...noRows, source, groups, count, sessionSize: size, first: top},
      this.#withoutNames(isThere),
    );
  }

  #later(
    source: readonly InboxGroup[],
    staying: ConversationKey | undefined,
    gone: ArrangedRow | undefined,
  ): InboxOrder {
    const {count, sessionSize: size, first, staying: stayed} = this.#rows;
    const {welcome, met} = this.#names;
    const placing = new Placing({
      known: this.#knownRows,
      welcome,
      met,
      count,
      sessionSize: size,
      first,
      staying,
    });
    // The row that stayed may be in any group.
    const isAll = stayed !== undefined && stayed !== staying;
    const groups = source.map((group, at) => {
      const before = this.#rows.source[at];
      const arranged = this.#rows.groups[at];
      if (!isAll && arranged !== undefined && before === group) return arranged;
      const make = (row: InboxRow) => placing.arranged(row, group.rows);
      const rows =
        isAll || before === undefined || arranged === undefined
          ? group.rows.map(make)
          : mappedFrom(before.rows, arranged.rows, group.rows, make);
      return {id: group.id, rows};
    });
    const {after} = placing;
    const isNew = (key: ConversationKey) => placing.hasPlaced(key);
    return new InboxOrder({source, groups, staying, gone, ...after}, this.#withoutNames(isNew));
  }

  /** What comes by a name that another one had before is not that one. */
  #withoutNames(isThere: (key: ConversationKey) => boolean): Names {
    const {names} = this.#names;
    const left = [...names].filter(([name]) => !isThere(name));
    return left.length === names.size ? this.#names : {...this.#names, names: new Map(left)};
  }
}

function metAmong(met: ReadonlySet<ConversationKey>, known: KnownRows): Set<ConversationKey> {
  const all = new Set(met);
  for (const [key, {heard}] of known) if (heard !== undefined) all.add(key);
  return all;
}

/** The place that a renamed conversation has on one side: its own, unless it joins what stood there from the beginning. */
function joinedPlace(
  side: InboxSide,
  {[side]: own}: KnownRow,
  there: KnownRow | undefined,
): Partial<Record<InboxSide, RowPosition>> {
  const other = there?.[side];
  const placed = own !== undefined && (other === undefined || other.isNew) ? own : other;
  return placed === undefined ? {} : {[side]: placed};
}

function knownEntry(shown: ArrangedRow): [ConversationKey, KnownRow] {
  return [shown.row.key, {shown, [sideOf(shown.position.group)]: shown.position}];
}
