import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ListId, ScreenState} from '#ui/core/screen-state.ts';
import {bodyRows, listTop} from './list-lines.ts';
import type {ListState} from './list-state.ts';
import {barIndex, visibleRowsOf} from './visible-rows.ts';

/** The line of the cursor in the last paint. */
interface PaintedCursorLine {
  readonly list: ListState;
  /** The row with the cursor. */
  readonly key: string | undefined;
  /** Number of rows above it on screen. */
  readonly line: number;
  readonly room: number;
}

/**
 * The lists in which the cursor's row stays on its screen line while rows are added or removed above it, as far as the
 * list can scroll. New rows may therefore be off-screen; a key pressed meanwhile acts on the row that the user saw.
 */
const pinnedLists: readonly ListId[] = ['inbox'];

/** Returns the screen with each cursor on the line where the last paint showed it. */
export function withPinnedCursorLines(next: Frame, last: Frame): ScreenState {
  return pinnedLists.reduce((screen, id) => withPinnedLine({...next, screen}, id, cursorLineIn(last, id)), next.screen);
}

/** Applies the pinned line before a key moves the cursor, so that it moves from where the user saw it. */
export function applyPinnedLine(app: App, id: ListId): void {
  if (pinnedLists.includes(id))
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

/** Returns the cursor's line; undefined while the list is not shown. */
function cursorLineIn(frame: Frame, id: ListId): PaintedCursorLine | undefined {
  const room = bodyRows(frame, id);
  if (room === undefined) return undefined;
  const at = barIndex(frame, id);
  const key = visibleRowsOf(frame, id).rows[at]?.key;
  return {list: frame.screen.lists[id], key, line: at - listTop(frame, id, room), room};
}
