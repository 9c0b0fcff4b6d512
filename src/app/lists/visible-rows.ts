import type {Frame} from '#app/core/frame.ts';
import type {ListId} from '#app/core/screen-state.ts';
import {
  type FuzzyCandidate,
  fuzzyCandidate,
  fuzzyQuery,
  fuzzyScore,
  type MatchRange,
  matchRanges,
  matchScores,
} from '#std/fuzzy.ts';
import {focusedList, mainList} from './focused-list.ts';
import type {ListRow} from './list-row.ts';
import {listSources} from './list-sources.ts';
import type {ListState} from './list-state.ts';

/** The rows of a list as they are shown: folded, filtered. */
export class VisibleRows {
  readonly rows: readonly ListRow[];
  /** The row that a filter fits best. */
  readonly best: number | undefined;
  #places: ReadonlyMap<string, number> | undefined;

  constructor(rows: readonly ListRow[], best?: number) {
    this.rows = rows;
    this.best = best;
  }

  /** By key. */
  get indexByKey(): ReadonlyMap<string, number> {
    this.#places ??= new Map(this.rows.map(({key}, at) => [key, at]));
    return this.#places;
  }

  /** Where a row is. It mostly is where it was, or next to that: then thousands need not be looked at. */
  indexNear(key: string, near: number): number | undefined {
    const isAt = (place: number) => this.rows[place]?.key === key;
    return [near, near + 1, near - 1].find(isAt) ?? this.indexByKey.get(key);
  }
}

type VisibleRowsInputs = Pick<ListState, 'folded'> & {readonly query: string};

const listings = new WeakMap<readonly ListRow[], VisibleRowsInputs & {readonly listing: VisibleRows}>();

export function visibleRowsOf(frame: Frame, id: ListId): VisibleRows {
  const all = listSources[id].rows(frame);
  const {folded, filter} = frame.screen.lists[id];
  const query = filter.text.trim();
  const known = listings.get(all);
  if (known?.query === query && known.folded === folded) return known.listing;
  const listing = query === '' ? new VisibleRows(unfolded(all, folded)) : filtered(all, query);
  listings.set(all, {query, folded, listing});
  return listing;
}

/** The rows of a group stand together: one look at the group does for all of them. */
function unfolded(rows: readonly ListRow[], folded: ReadonlySet<string>): readonly ListRow[] {
  if (folded.size === 0) return rows;
  const shown: ListRow[] = [];
  let [group, isFolded]: [string | undefined, boolean] = [undefined, false];
  for (const row of rows) {
    if (row.group !== group) {
      group = row.group;
      isFolded = group !== undefined && folded.has(group);
    }
    if (!isFolded || row.kind !== 'item') shown.push(row);
  }
  return shown;
}

const candidates = new WeakMap<ListRow, FuzzyCandidate>();

function candidate(row: ListRow): FuzzyCandidate {
  let known = candidates.get(row);
  if (known === undefined) {
    known = fuzzyCandidate(row.label);
    candidates.set(row, known);
  }
  return known;
}

/** In the order of the list, so that places stay what they are. Letters here and there count where nothing fits better. */
function filtered(all: readonly ListRow[], query: string): VisibleRows {
  const asked = fuzzyQuery(query);
  const scores = new Map<ListRow, number>();
  for (const row of all) if (row.kind === 'item') scores.set(row, fuzzyScore(asked, candidate(row)));
  const most = Math.max(-1, ...scores.values());
  const least = most >= matchScores.inside ? matchScores.inside : 0;
  const fits = (row: ListRow) => (scores.get(row) ?? -1) >= least;
  const groups = new Set(all.flatMap((row) => (row.kind === 'item' && fits(row) ? [row.group] : [])));
  const rows = all.filter((row) =>
    row.kind === 'item' ? fits(row) : row.kind === 'title' && groups.has(row.group),
  );
  const best = rows.findIndex((row) => scores.get(row) === most);
  return new VisibleRows(rows, best < 0 ? undefined : best);
}

/** Where the filter stands in the label of a row. */
export function matchedRanges(row: ListRow, query: string): readonly MatchRange[] {
  return query === '' ? [] : (matchRanges(fuzzyQuery(query), candidate(row)) ?? []);
}

/** Titles are stepped over unless they are all there is of their group. */
export function canHaveCursor(row: ListRow | undefined, {folded, filter}: ListState): boolean {
  if (row === undefined || row.kind === 'space') return false;
  if (row.kind === 'item') return true;
  return row.group !== undefined && folded.has(row.group) && filter.text.trim() === '';
}

/** Where the cursor is; -1 when there is no row for it. A cursor whose row is gone stays where it was. */
export function cursorIndex(frame: Frame, id: ListId): number {
  const list = frame.screen.lists[id];
  const listing = visibleRowsOf(frame, id);
  const {rows, best} = listing;
  const source = listSources[id];
  const isAstray = list.cursor === undefined || !list.cursor.startsWith(source.keyPrefix?.(frame) ?? '');
  if (isAstray) {
    const home = best ?? listing.indexNear(source.shownRowKey?.(frame) ?? '', 0);
    return home !== undefined && canHaveCursor(rows[home], list) ? home : nearest(rows, 0, list);
  }
  const known = listing.indexNear(list.cursor ?? '', list.index);
  return known !== undefined && canHaveCursor(rows[known], list)
    ? known
    : nearest(rows, known ?? list.index, list);
}

/** The first row from here on that can have the cursor, or else the last one before. */
function nearest(rows: readonly ListRow[], from: number, list: ListState): number {
  for (let at = Math.min(from, rows.length - 1); at >= 0 && at < rows.length; at++) {
    if (canHaveCursor(rows[at], list)) return at;
  }
  for (let at = Math.min(from, rows.length) - 1; at >= 0; at--) {
    if (canHaveCursor(rows[at], list)) return at;
  }
  return -1;
}

/** The row with the cursor of a list. */
export function cursorRow(frame: Frame, id: ListId): ListRow | undefined {
  return visibleRowsOf(frame, id).rows[cursorIndex(frame, id)];
}

/** Where the bar stands: at the cursor, or in a side pane without the keys at what the main pane shows. */
export function barIndex(frame: Frame, id: ListId): number {
  const {screen} = frame;
  if (focusedList(screen) === id || mainList(screen.view) === id) return cursorIndex(frame, id);
  return shownRowIndex(frame, id);
}

/** The row of what the main pane shows, in a list beside it; -1 when there is none. */
export function shownRowIndex(frame: Frame, id: ListId): number {
  if (mainList(frame.screen.view) === id) return -1;
  return visibleRowsOf(frame, id).indexNear(listSources[id].shownRowKey?.(frame) ?? '', 0) ?? -1;
}

/** The rows that verbs act on: those selected, or the one with the cursor. */
export function targetRows(frame: Frame, id: ListId): readonly ListRow[] {
  const {selected} = frame.screen.lists[id];
  const {rows} = visibleRowsOf(frame, id);
  const marked = selected.size === 0 ? [] : rows.filter(({key}) => selected.has(key));
  if (marked.length > 0) return marked;
  const row = cursorRow(frame, id);
  return row === undefined ? [] : [row];
}
