import {fuzzyCandidate, fuzzyQuery, fuzzyScore, type MatchRange, matchRanges, matchScores} from '#std/fuzzy.ts';
import {memoByObject} from '#std/memo.ts';
import {catchUpList} from '#ui/catch-up/catch-up-list.ts';
import {channelBrowser} from '#ui/channel-browser/channel-browser.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ListId, ScreenState} from '#ui/core/screen-state.ts';
import {draftsList} from '#ui/drafts-panel/panel-rows.ts';
import {inboxList} from '#ui/inbox/triage-rows.ts';
import {peopleList} from '#ui/people/people-list.ts';
import {directList, recentList} from '#ui/recent/recent-list.ts';
import {topicList} from '#ui/topic-list/topic-list.ts';
import {focusedList, type ListRow, type ListSource, mainList} from './list-source.ts';
import type {ListState} from './list-state.ts';

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
export function visibleRowsOf(frame: Frame, id: ListId): VisibleRows {
  const source = listSources[id];
  const all = source.rows(frame);
  const {folded, filter} = frame.screen.lists[id];
  const query = filter.text.trim();
  const found = query === '' ? noRows : (source.foundRows?.(frame, query) ?? noRows);
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
  const groups = new Set(all.flatMap((row) => (row.kind === 'item' && matches(row) ? [row.group] : [])));
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
export function cursorIndex(frame: Frame, id: ListId): number {
  const list = frame.screen.lists[id];
  const visible = visibleRowsOf(frame, id);
  const {rows, best} = visible;
  const source = listSources[id];
  const isElsewhere = list.cursor === undefined || !list.cursor.startsWith(source.keyPrefix?.(frame) ?? '');
  if (isElsewhere) {
    const initial = best ?? visible.indexNear(source.shownRowKey?.(frame) ?? '', 0);
    return initial !== undefined && canHaveCursor(rows[initial], list) ? initial : nearest(rows, 0, list);
  }
  const known = visible.indexNear(list.cursor ?? '', list.index);
  return known !== undefined && canHaveCursor(rows[known], list) ? known : nearest(rows, known ?? list.index, list);
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
export function cursorRow(frame: Frame, id: ListId): ListRow | undefined {
  return visibleRowsOf(frame, id).rows[cursorIndex(frame, id)];
}

/** Returns the focused list and its row under the cursor. */
export function focusedRow(frame: Frame): {readonly id: ListId | undefined; readonly row: ListRow | undefined} {
  const id = focusedList(frame.screen);
  return {id, row: id === undefined ? undefined : cursorRow(frame, id)};
}

/** Returns the index of the bar: at the cursor, or in an unfocused side pane at the row of the main pane's view. */
export function barIndex(frame: Frame, id: ListId): number {
  const {screen} = frame;
  if (focusedList(screen) === id || mainList(screen.view) === id) return cursorIndex(frame, id);
  return shownRowIndex(frame, id);
}

/** Returns the index of the main pane's view in a list beside it; -1 when there is none. */
export function shownRowIndex(frame: Frame, id: ListId): number {
  if (mainList(frame.screen.view) === id) return -1;
  return visibleRowsOf(frame, id).indexNear(listSources[id].shownRowKey?.(frame) ?? '', 0) ?? -1;
}

/** Returns the rows that a command acts on: the selected ones, or the one under the cursor. */
export function targetRows(frame: Frame, id: ListId): readonly ListRow[] {
  const {selected} = frame.screen.lists[id];
  const {rows} = visibleRowsOf(frame, id);
  const marked = selected.size === 0 ? [] : rows.filter(({key}) => selected.has(key));
  if (marked.length > 0) return marked;
  const row = cursorRow(frame, id);
  return row === undefined ? [] : [row];
}

/**
 * Returns how many rows of the focused list are selected, on screen or not: the next command acts on all of
 * them. Triage shows one conversation at a time and has no selection.
 */
export function selectedCount(frame: Frame): number {
  const {screen} = frame;
  const id = focusedList(screen);
  if (id === undefined || screen.view.kind === 'triage') return 0;
  const {selected} = screen.lists[id];
  if (selected.size === 0) return 0;
  const {indexByKey} = visibleRowsOf(frame, id);
  return [...selected].filter((key) => indexByKey.has(key)).length;
}

/** Returns the list whose filter is being typed. */
export function listBeingFiltered({lists}: ScreenState): ListId | undefined {
  return listIds(lists).find((id) => lists[id].isFiltering);
}

function listIds(lists: ScreenState['lists']): readonly ListId[] {
  return Object.keys(lists) as ListId[]; // Its keys are exactly these.
}

/** The source of each list. */
export const listSources: Readonly<Record<ListId, ListSource>> = {
  channels: channelList,
  topics: topicList,
  people: peopleList,
  inbox: inboxList,
  recent: recentList,
  catchUp: catchUpList,
  directs: directList,
  browser: channelBrowser,
  drafts: draftsList,
};
