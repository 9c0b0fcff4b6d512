import {fuzzyCandidate, fuzzyQuery, fuzzyScore, type MatchRange, matchRanges, matchScores} from '#std/fuzzy.ts';
import {memoByObject} from '#std/memo.ts';
import {type Frame, keyInOrganization, keyInOwnList} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {isFocusedList, isMainList, type ListRow, type ListSource} from './list-source.ts';
import type {ListId, ListState} from './list-state.ts';

/** The rows of a list that are shown, after folding and filtering. */
export class VisibleRows {
  readonly rows: readonly ListRow[];
  /** The index of the filter's best match. */
  readonly best: number | undefined;
  #indexByKey: ReadonlyMap<string, number> | undefined;

  constructor(rows: readonly ListRow[], best?: number) {
    this.rows = rows;
    this.best = best;
  }

  /** The index of each row by its key. */
  get indexByKey(): ReadonlyMap<string, number> {
    this.#indexByKey ??= new Map(this.rows.map(({key}, at) => [key, at]));
    return this.#indexByKey;
  }

  /**
   * Returns the index of a row. It mostly is where it was, or next to that, so that thousands of rows need no search.
   */
  indexNear(key: string, near: number): number | undefined {
    const isAt = (index: number) => this.rows[index]?.key === key;
    return [near, near + 1, near - 1].find(isAt) ?? this.indexByKey.get(key);
  }
}

const noRows: readonly ListRow[] = [];

/** Returns the visible rows of a list; cached until its rows, folds or filter change. */
export function visibleRowsOf(frame: Frame, list: ListSource): VisibleRows {
  const all = list.rows(frame);
  const {folded, filter} = frame.screen.lists[list.id];
  const query = filter.text.trim();
  const found = query === '' ? noRows : (list.foundRows?.(frame, query) ?? noRows);
  return visibleAmong(all, query, folded, found);
}

const visibleAmong = memoByObject(
  (all: readonly ListRow[], query: string, folded: ReadonlySet<string>, found: readonly ListRow[]) =>
    query === '' ? new VisibleRows(withoutFolded(all, folded)) : matchingRows(all, query, found),
);

/** Returns the rows without those of folded groups. The rows of a group are adjacent: one lookup serves all of them. */
function withoutFolded(rows: readonly ListRow[], folded: ReadonlySet<string>): readonly ListRow[] {
  if (folded.size === 0) return rows;
  const shown: ListRow[] = [];
  let [group, isFolded]: [string | undefined, boolean] = [undefined, false];
  for (const row of rows) {
    if (row.group !== group) {
      group = row.group;
      isFolded = group !== undefined && folded.has(group);
    }
    if (!isFolded || row.kind === 'title' || row.kind === 'space') shown.push(row);
  }
  return shown;
}

const candidate = memoByObject((row: ListRow) => fuzzyCandidate(row.label));

/** Returns the matching rows in the order of the list. Scattered letters match only where no row matches better. */
function matchingRows(all: readonly ListRow[], query: string, found: readonly ListRow[]): VisibleRows {
  const parsedQuery = fuzzyQuery(query);
  const scores = new Map<ListRow, number>();
  const start = query.toLowerCase();
  for (const row of all) {
    if (row.kind !== 'item') continue;
    const score = fuzzyScore(parsedQuery, candidate(row));
    const isFoundOtherwise = row.searchText?.toLowerCase().startsWith(start) === true;
    scores.set(row, isFoundOtherwise ? Math.max(score, matchScores.inside) : score);
  }
  const bestScore = scores.values().reduce((best, score) => Math.max(best, score), -1);
  const minScore = bestScore >= matchScores.inside || found.length > 0 ? matchScores.inside : 0;
  const matches = (row: ListRow) => (scores.get(row) ?? -1) >= minScore;
  const groups = new Set(all.filter((row) => row.kind === 'item' && matches(row)).map((row) => row.group));
  const rows = all.filter((row) =>
    row.kind === 'item' ? matches(row) : row.kind === 'title' && groups.has(row.group),
  );
  // Several organizations have groups with the same name.
  const shown = rows.filter(({kind}, at) => kind === 'item' || rows[at + 1]?.kind === 'item');
  const best = shown.findIndex((row) => scores.get(row) === bestScore);
  return new VisibleRows([...shown, ...found], best < 0 ? undefined : best);
}

/** Returns the parts of a row's label that match the filter. */
export function matchedRanges(row: ListRow, query: string): readonly MatchRange[] {
  return query === '' ? [] : (matchRanges(fuzzyQuery(query), candidate(row)) ?? []);
}

/** Whether a row can have the cursor. Titles are skipped unless their group is folded. */
export function canHaveCursor(row: ListRow | undefined, {folded, filter}: ListState): boolean {
  if (row === undefined || row.kind === 'space' || row.kind === 'heading') return false;
  if (row.kind === 'item') return true;
  return row.group !== undefined && folded.has(row.group) && filter.text.trim() === '';
}

/**
 * Returns the index of the cursor; -1 when no row can have it. When the cursor's row is removed it stays at its index.
 */
export function cursorIndex(frame: Frame, list: ListSource): number {
  const state = frame.screen.lists[list.id];
  const visible = visibleRowsOf(frame, list);
  const {rows, best} = visible;
  const ownKey = state.cursor && keyInOwnList(state.cursor);
  const isElsewhere = ownKey === undefined || !ownKey.startsWith(list.keyPrefix?.(frame) ?? '');
  if (isElsewhere) {
    const initial = best ?? visible.indexNear(list.shownRowKey?.(frame) ?? '', 0);
    return initial !== undefined && canHaveCursor(rows[initial], state) ? initial : nearest(rows, 0, state);
  }
  const known = visible.indexNear(state.cursor ?? '', state.index);
  return known !== undefined && canHaveCursor(rows[known], state) ? known : nearest(rows, known ?? state.index, state);
}

/**
 * Returns the first row from here on that can have the cursor, or else the last one before. Not a row of another account: only
 * a key moves the cursor there.
 */
function nearest(rows: readonly ListRow[], from: number, list: ListState): number {
  const isFree = (row: ListRow | undefined) => row?.organization === undefined && canHaveCursor(row, list);
  for (let at = Math.min(from, rows.length - 1); at >= 0 && at < rows.length; at++) {
    if (isFree(rows[at])) return at;
  }
  for (let at = Math.min(from, rows.length) - 1; at >= 0; at--) {
    if (isFree(rows[at])) return at;
  }
  return -1;
}

/** Returns the row under the cursor of a list. */
export function cursorRow(frame: Frame, list: ListSource): ListRow | undefined {
  return visibleRowsOf(frame, list).rows[cursorIndex(frame, list)];
}

/** Returns the index of the bar: at the cursor, or in an unfocused side pane at the row of the main pane's view. */
export function barIndex(frame: Frame, list: ListSource): number {
  const {screen} = frame;
  if (isFocusedList(list, screen) || isMainList(list, screen.view)) return cursorIndex(frame, list);
  return shownRowIndex(frame, list);
}

/** Returns the index of the main pane's view in a list beside it; -1 when there is none. */
export function shownRowIndex(frame: Frame, list: ListSource): number {
  if (isMainList(list, frame.screen.view)) return -1;
  return visibleRowsOf(frame, list).indexNear(list.shownRowKey?.(frame) ?? '', 0) ?? -1;
}

/** Returns the rows that a command acts on: the selected ones, or the one under the cursor. */
export function targetRows(frame: Frame, list: ListSource): readonly ListRow[] {
  const {selected} = frame.screen.lists[list.id];
  const {rows} = visibleRowsOf(frame, list);
  const marked = selected.size === 0 ? [] : rows.filter(({key}) => selected.has(key));
  if (marked.length > 0) return marked;
  const row = cursorRow(frame, list);
  return row === undefined ? [] : [row];
}

/** Returns the list whose filter is being typed. */
export function listBeingFiltered({lists}: ScreenState): ListId | undefined {
  let id: ListId;
  for (id in lists) if (lists[id].isFiltering) return id;
  return undefined;
}

/** Returns the keys of the selected rows, those of other organizations by the keys that they have in this list. */
export const selectedKeys = memoByObject((frame: Frame, list: ListSource): ReadonlySet<string> => {
  const {selected} = frame.screen.lists[list.id];
  if (list.isMerged !== true || frame.organizations === undefined) return selected;
  const others = frame.organizations.all.flatMap(({name, frame: other}) =>
    [...(other?.screen.lists[list.id].selected ?? [])].map((key) => keyInOrganization(name, key)),
  );
  return others.length === 0 ? selected : new Set([...selected, ...others]);
});
