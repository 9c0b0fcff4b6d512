import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {ListId, ScreenState} from '#app/core/screen-state.ts';
import {bodyRows, listTop} from './list-pane.ts';
import type {ListState} from './list-state.ts';
import {barIndex, listingOf} from './visible-rows.ts';

/** Where the cursor was in the last picture. */
interface Painted {
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
export function withHeldLines(next: Frame, last: Frame): ScreenState {
  return heldLists.reduce((screen, id) => held({...next, screen}, id, paintedIn(last, id)), next.screen);
}

/** For a key that is about to move the cursor: from where it was seen, whatever has come since. */
export function keepCursorLine(app: App, id: ListId): void {
  if (heldLists.includes(id)) app.update(() => held(app.frame, id, paintedIn(app.frames.current, id)));
}

function held(frame: Frame, id: ListId, last: Painted | undefined): ScreenState {
  const {screen} = frame;
  const list = screen.lists[id];
  const now = last === undefined ? undefined : paintedIn(frame, id);
  if (now?.key === undefined || now.key !== last?.key || now.list !== last.list || now.room !== last.room)
    return screen;
  const {rows} = listingOf(frame, id);
  const index = barIndex(frame, id);
  const top = Math.max(0, Math.min(rows.length - now.room, index - last.line));
  if (index - now.line === top) return screen;
  return {...screen, lists: {...screen.lists, [id]: {...list, index, top, held: now.key}}};
}

/** Undefined while the list is not shown. */
function paintedIn(frame: Frame, id: ListId): Painted | undefined {
  const room = bodyRows(frame, id);
  if (room === undefined) return undefined;
  const at = barIndex(frame, id);
  const key = listingOf(frame, id).rows[at]?.key;
  return {list: frame.screen.lists[id], key, line: at - listTop(frame, id, room), room};
}
