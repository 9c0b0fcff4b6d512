import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {ListId, ScreenState} from '#app/core/screen-state.ts';
import {bodyRows, listTop} from './list-pane.ts';
import type {ListState} from './list-state.ts';
import {barIndex, visibleRowsOf} from './visible-rows.ts';

/** Where the cursor was in the last picture. */
interface PaintedCursorLine {
  readonly list: ListState;
  /** The row with the cursor. */
  readonly key: string | undefined;
  /** Rows above it in the window. */
  readonly line: number;
  readonly room: number;
}

/**
 * The lists where the row with the cursor stays on its line of the screen while rows come and go above it, as far as the list
 * can be scrolled. What comes may thus be above the window; a key that is on its way meets what was there.
 */
const heldLists: readonly ListId[] = ['inbox'];

/** Returns the screen with the cursors on the lines where the last picture showed them. */
export function withPinnedCursorLines(next: Frame, last: Frame): ScreenState {
  return heldLists.reduce(
    (screen, id) => withPinnedLine({...next, screen}, id, cursorLineIn(last, id)),
    next.screen,
  );
}

/** For a key that is about to move the cursor: from where it was seen, whatever has come since. */
export function applyPinnedLine(app: App, id: ListId): void {
  if (heldLists.includes(id))
    app.update(() => withPinnedLine(app.frame, id, cursorLineIn(app.frames.paintedFrame, id)));
}

function withPinnedLine(frame: Frame, id: ListId, last: PaintedCursorLine | undefined): ScreenState {
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

/** Undefined while the list is not shown. */
function cursorLineIn(frame: Frame, id: ListId): PaintedCursorLine | undefined {
  const room = bodyRows(frame, id);
  if (room === undefined) return undefined;
  const at = barIndex(frame, id);
  const key = visibleRowsOf(frame, id).rows[at]?.key;
  return {list: frame.screen.lists[id], key, line: at - listTop(frame, id, room), room};
}
