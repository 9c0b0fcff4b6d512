import type {App} from '#app/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Motion} from '#ui/core/motion.ts';
import {focusedList} from '#ui/list-table.ts';
import {bodyRows, cursorRange, listTop, windowTop} from '#ui/lists/list-position.ts';
import type {ListRow, ListSource} from '#ui/lists/list-source.ts';
import type {ListState} from '#ui/lists/list-state.ts';
import type {NavigationRow} from '#ui/lists/navigation-row.ts';
import {withPinnedCursorLine} from '#ui/lists/pinned-lines.ts';
import {barIndex, canHaveCursor, cursorIndex, type VisibleRows, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {changeList} from './change-list.ts';
import {rowThatKeyRefersTo} from './rows-of-key.ts';

/** Moves the cursor from where the user saw it. Never wraps around: holding a key ends at the end. */
export function moveInList(app: App, list: ListSource, motion: Motion): void {
  applyPinnedLine(app, list);
  const {frame} = app;
  const visible = visibleRowsOf(frame, list);
  const state = app.screen.lists[list.id];
  const from = cursorIndex(frame, list);
  if (from < 0) return;
  const room = bodyRows(frame, list, screenLayout(frame)) ?? 1;
  const top = listTop(frame, list, room);
  if ('by' in motion && motion.by === 'line') {
    const scrolled = Math.max(0, Math.min(visible.rows.length - room, top + motion.step));
    const [first, last] = cursorRange(scrolled, room, visible.rows.length);
    const clamped = Math.max(first, Math.min(last, from));
    setCursorIndex(app, list, visible, nearestSelectable(visible, state, clamped, motion.step) ?? from, scrolled);
    return;
  }
  const [targetIndex, direction] = motionTarget(motion, from, visible.rows.length, room);
  const to = nearestSelectable(visible, state, targetIndex, direction);
  if (to !== undefined) setCursorIndex(app, list, visible, to, windowTop(top, to, room, visible.rows.length));
}

/** Moves the cursor to a row, if the list has it. */
export function setListCursor(app: App, list: ListSource, key: string): void {
  const visible = visibleRowsOf(app.frame, list);
  const at = visible.indexNear(key, app.screen.lists[list.id].index);
  if (at !== undefined) setCursorIndex(app, list, visible, at, app.screen.lists[list.id].top);
}

/** Moves the cursor to a clicked row without scrolling the list. */
export function pointCursorAtRow(app: App, list: ListSource, key: string): void {
  applyPinnedLine(app, list);
  const top = listTop(app.frame, list, bodyRows(app.frame, list, screenLayout(app.frame)) ?? 1);
  setListCursor(app, list, key);
  changeList(app, list.id, (state) => ({...state, top, pinnedKey: key}));
}

/** Scrolls one line. An unfocused list leaves its bar on its row, also off-screen. */
export function scrollList(app: App, list: ListSource, step: 1 | -1): void {
  const {frame} = app;
  if (focusedList(app.screen) === list) {
    moveInList(app, list, {by: 'line', step});
    return;
  }
  const room = bodyRows(frame, list, screenLayout(frame)) ?? 1;
  const {rows} = visibleRowsOf(frame, list);
  const top = Math.max(0, Math.min(rows.length - room, listTop(frame, list, room) + step));
  const pinnedKey = rows[barIndex(frame, list)]?.key;
  changeList(app, list.id, (state) => ({...state, top, pinnedKey}));
}

function setCursorIndex(app: App, list: ListSource, {rows}: VisibleRows, index: number, top: number): void {
  const cursor = rows[index]?.key;
  changeList(app, list.id, (state) =>
    state.cursor === cursor && state.index === index && state.top === top ? state : {...state, cursor, index, top},
  );
  app.update((screen) => list.cursorMoved?.(app.frame) ?? screen);
}

/** Returns the index for a motion, and the direction in which to search when that row cannot have the cursor. */
function motionTarget(motion: Motion, from: number, count: number, room: number): [number, 1 | -1] {
  if ('to' in motion) return motion.to === 'first' ? [0, 1] : [count - 1, -1];
  const by = {item: 1, line: 1, half: Math.max(1, Math.floor(room / 2)), page: Math.max(1, room - 1)};
  const targetIndex = from + motion.step * by[motion.by];
  return [Math.max(0, Math.min(count - 1, targetIndex)), motion.step];
}

function nearestSelectable({rows}: VisibleRows, list: ListState, from: number, direction: 1 | -1): number | undefined {
  for (let at = from; at >= 0 && at < rows.length; at += direction) if (canHaveCursor(rows[at], list)) return at;
  for (let at = from; at >= 0 && at < rows.length; at -= direction) if (canHaveCursor(rows[at], list)) return at;
  return undefined;
}

/**
 * Performs a command on the target rows and moves the cursor to the row that was next before, because the
 * command may reorder rows. A command on selected rows clears the selection and leaves the cursor; a command
 * on the cursor's row alone (`cursor`) leaves the selection.
 */
export function actAndAdvance(
  app: App,
  list: ListSource,
  perform: () => void,
  scope: 'rows' | 'cursor' = 'rows',
): void {
  const actsOnSelection = scope === 'rows' && app.screen.lists[list.id].selected.size > 0;
  const next = actsOnSelection ? undefined : rowAfter(app, list);
  perform();
  if (actsOnSelection) clearSelection(app, list);
  if (next !== undefined) setListCursor(app, list, next.key);
}

export function clearSelection(app: App, list: ListSource): void {
  changeList(app, list.id, (state) => (state.selected.size === 0 ? state : {...state, selected: new Set()}));
}

function rowAfter(app: App, list: ListSource): ListRow | undefined {
  const {rows, indexByKey} = visibleRowsOf(app.frame, list);
  const from = indexByKey.get(rowThatKeyRefersTo(app, list)?.key ?? '') ?? cursorIndex(app.frame, list);
  return rows.slice(from + 1).find((row) => canHaveCursor(row, app.screen.lists[list.id]));
}

/**
 * Returns the next row with unmuted unread messages, wrapping around at the end; undefined when no other row has any.
 */
export function nextUnreadRow(frame: Frame, list: ListSource): ListRow | undefined {
  const {rows} = visibleRowsOf(frame, list);
  const from = cursorIndex(frame, list);
  const others = [...rows.slice(from + 1), ...rows.slice(0, Math.max(0, from))];
  return others.find((row) => row.kind === 'item' && row.target?.kind !== 'view' && isUnread(row));
}

function isUnread(row: ListRow & Partial<Pick<NavigationRow, 'count' | 'isMuted' | 'isQuiet'>>): boolean {
  return (row.count ?? 0) > 0 && row.isMuted !== true && row.isQuiet !== true;
}

/** Folds or unfolds a row's group; returns false when nothing changed. */
export function setFolded(app: App, list: ListSource, {group}: ListRow, isFolded: boolean): boolean {
  const {folded} = app.screen.lists[list.id];
  if (group === undefined || folded.has(group) === isFolded) return false;
  const next = new Set(folded);
  if (isFolded) next.add(group);
  else next.delete(group);
  changeList(app, list.id, (list) => ({...list, folded: next, cursor: isFolded ? `title ${group}` : list.cursor}));
  return true;
}

/** Applies the pinned line before a key moves the cursor, so that it moves from where the user saw it. */
export function applyPinnedLine(app: App, list: ListSource): void {
  app.update(() => withPinnedCursorLine(app.frame, app.frames.paintedFrame, list, screenLayout));
}
