import type {Frame} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import type {Layout} from '#ui/layout/layout.ts';
import {bodyRows, listTop} from './list-position.ts';
import type {ListSource} from './list-source.ts';
import {barIndex, visibleRowsOf} from './visible-rows.ts';

/** Returns a frame's layout. */
type LayoutOf = (frame: Frame) => Layout;

/** Returns the screen with the cursor of a list on the line where the last paint showed it, if the list is pinned. */
export function withPinnedCursorLine(next: Frame, last: Frame, list: ListSource, layoutOf: LayoutOf): ScreenState {
  const {screen} = next;
  const before = list.isPinned === true ? cursorLineIn(last, list, layoutOf) : undefined;
  const now = before === undefined ? undefined : cursorLineIn(next, list, layoutOf);
  if (now?.key === undefined || now.key !== before?.key || now.list !== before.list || now.room !== before.room)
    return screen;
  const {rows} = visibleRowsOf(next, list);
  const index = barIndex(next, list);
  const top = Math.max(0, Math.min(rows.length - now.room, index - before.line));
  if (index - now.line === top) return screen;
  return {...screen, lists: {...screen.lists, [list.id]: {...now.list, index, top, pinnedKey: now.key}}};
}

/** Returns the row with the cursor and the number of rows above it on screen; undefined while the list is not shown. */
function cursorLineIn(frame: Frame, list: ListSource, layoutOf: LayoutOf) {
  const room = bodyRows(frame, list, layoutOf(frame));
  if (room === undefined) return undefined;
  const at = barIndex(frame, list);
  const key = visibleRowsOf(frame, list).rows[at]?.key;
  return {list: frame.screen.lists[list.id], key, line: at - listTop(frame, list, room), room};
}
