import type {Frame} from '#ui/core/frame.ts';
import type {ListId, ScreenState} from '#ui/core/screen-state.ts';
import {bodyRows, listTop} from './list-lines.ts';
import {barIndex, visibleRowsOf} from './visible-rows.ts';

/**
 * The line of the cursor in the last paint. `key`: the row with the cursor. `line`: number of rows above it on screen.
 */
type PaintedCursorLine = NonNullable<ReturnType<typeof cursorLineIn>>;

/**
 * The lists in which the cursor's row stays on its screen line while rows are added or removed above it, as far as the
 * list can scroll. New rows may therefore be off-screen; a key pressed meanwhile acts on the row that the user saw.
 */
export const pinnedLists: readonly ListId[] = ['inbox'];

/** Returns the screen with each cursor on the line where the last paint showed it. */
export function withPinnedCursorLines(next: Frame, last: Frame): ScreenState {
  return pinnedLists.reduce((screen, id) => withPinnedLine({...next, screen}, id, cursorLineIn(last, id)), next.screen);
}

export function withPinnedLine(frame: Frame, id: ListId, last: PaintedCursorLine | undefined): ScreenState {
  const {screen} = frame;
  const list = screen.lists[id];
  const now = last === undefined ? undefined : cursorLineIn(frame, id);
  if (now?.key === undefined || now.key !== last?.key || now.list !== last.list || now.room !== last.room)
    return screen;
  const {rows} = visibleRowsOf(frame, id);
  const index = barIndex(frame, id);
  const top = Math.max(0, Math.min(rows.length - now.room, index - last.line));
  if (index - now.line === top) return screen;
  return {...screen, lists: {...screen.lists, [id]: {...list, index, top, pinnedKey: now.key}}};
}

/** Returns the cursor's line; undefined while the list is not shown. */
export function cursorLineIn(frame: Frame, id: ListId) {
  const room = bodyRows(frame, id);
  if (room === undefined) return undefined;
  const at = barIndex(frame, id);
  const key = visibleRowsOf(frame, id).rows[at]?.key;
  return {list: frame.screen.lists[id], key, line: at - listTop(frame, id, room), room};
}
