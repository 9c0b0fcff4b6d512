import type {Frame} from './frame.ts';
import {withPlacedRows} from './inbox/triage-rows.ts';
import {withHeldLines} from './lists/holding.ts';
import type {ScreenState} from './screen.ts';

/**
 * Returns the screen of the next picture: the rows that came since the last one have their places in the inbox, and the cursor
 * is on the line where it was seen. Whatever a picture settles is settled here, so that painting it changes nothing.
 */
export function settledScreen(next: Frame, last: Frame | undefined): ScreenState {
  const screen = withPlacedRows(next);
  return last === undefined ? screen : withHeldLines({...next, screen}, last);
}
