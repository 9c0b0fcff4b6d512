import type {App} from '#app/core/app.ts';
import type {Motion} from '#app/core/motion.ts';
import type {ListId} from '#app/core/screen-state.ts';
import {withPositionedRows} from '#app/inbox/triage-rows.ts';
import {focusedList} from './focused-list.ts';
import {changeList} from './list-filter.ts';
import {bodyRows, cursorRange, listTop, windowTop} from './list-pane.ts';
import type {ListState} from './list-state.ts';
import {applyPinnedLine} from './pin-cursor-line.ts';
import {barIndex, canHaveCursor, cursorIndex, type VisibleRows, visibleRowsOf} from './visible-rows.ts';

/** From where the cursor is seen to be. Never goes around: who holds a key down ends at the end. */
export function moveInList(app: App, id: ListId, motion: Motion): void {
  applyPinnedLine(app, id);
  const {frame} = app;
  const listing = visibleRowsOf(frame, id);
  const list = app.screen.lists[id];
  const from = cursorIndex(frame, id);
  if (from < 0) return;
  const room = bodyRows(frame, id) ?? 1;
  const top = listTop(frame, id, room);
  if ('by' in motion && motion.by === 'line') {
    const scrolled = Math.max(0, Math.min(listing.rows.length - room, top + motion.step));
    const [first, last] = cursorRange(scrolled, room, listing.rows.length);
    const inside = Math.max(first, Math.min(last, from));
    place(app, id, listing, nearestSelectable(listing, list, inside, motion.step) ?? from, scrolled);
    return;
  }
  const [wanted, way] = wantedIndex(motion, from, listing.rows.length, room);
  const to = nearestSelectable(listing, list, wanted, way);
  if (to !== undefined) place(app, id, listing, to, windowTop(top, to, room, listing.rows.length));
}

/** Puts the cursor on a row, if it is there. */
export function setListCursor(app: App, id: ListId, key: string): void {
  const listing = visibleRowsOf(app.frame, id);
  const at = listing.indexNear(key, app.screen.lists[id].index);
  if (at !== undefined) place(app, id, listing, at, app.screen.lists[id].top);
}

/** Puts the cursor on a row that somebody points at: nothing moves under their hand. */
export function pointCursorAtRow(app: App, id: ListId, key: string): void {
  applyPinnedLine(app, id);
  const top = listTop(app.frame, id, bodyRows(app.frame, id) ?? 1);
  setListCursor(app, id, key);
  changeList(app, id, (list) => ({...list, top, pinnedKey: key}));
}

/** One line up or down. A list without the keys leaves its bar where it is, also out of sight. */
export function scrollList(app: App, id: ListId, step: 1 | -1): void {
  const {frame} = app;
  if (focusedList(app.screen) === id) {
    moveInList(app, id, {by: 'line', step});
    return;
  }
  const room = bodyRows(frame, id) ?? 1;
  const {rows} = visibleRowsOf(frame, id);
  const top = Math.max(0, Math.min(rows.length - room, listTop(frame, id, room) + step));
  const held = rows[barIndex(frame, id)]?.key;
  changeList(app, id, (list) => ({...list, top, pinnedKey: held}));
}

function place(app: App, id: ListId, {rows}: VisibleRows, index: number, top: number): void {
  const cursor = rows[index]?.key;
  changeList(app, id, (list) =>
    list.cursor === cursor && list.index === index && list.top === top ? list : {...list, cursor, index, top},
  );
  // The row stays under the cursor from now on, not only from the next picture on.
  if (id === 'inbox') app.update(() => withPositionedRows(app.frame));
}

/** And in which direction to look on where that row cannot have the cursor. */
function wantedIndex(motion: Motion, from: number, count: number, room: number): [number, 1 | -1] {
  if ('to' in motion) return motion.to === 'first' ? [0, 1] : [count - 1, -1];
  const by = {item: 1, line: 1, half: Math.max(1, Math.floor(room / 2)), page: Math.max(1, room - 1)};
  const wanted = from + motion.step * by[motion.by];
  return [Math.max(0, Math.min(count - 1, wanted)), motion.step];
}

function nearestSelectable(
  {rows}: VisibleRows,
  list: ListState,
  from: number,
  way: 1 | -1,
): number | undefined {
  for (let at = from; at >= 0 && at < rows.length; at += way) if (canHaveCursor(rows[at], list)) return at;
  for (let at = from; at >= 0 && at < rows.length; at -= way) if (canHaveCursor(rows[at], list)) return at;
  return undefined;
}
