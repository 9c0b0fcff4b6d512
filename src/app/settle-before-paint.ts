import type {Frame} from '#app/core/frame.ts';
import type {ScreenState} from '#app/core/screen-state.ts';
import {withPlacedRows} from '#app/inbox/triage-rows.ts';
import {withHeldLines} from '#app/lists/pin-cursor-line.ts';

/**
 * Returns the screen of the next picture: the rows that came since the last one have their places in the inbox, and the cursor
 * is on the line where it was seen, and who is there is known by the minute. Whatever a picture settles is settled here, so that painting it changes nothing.
 */
export function settledScreen(next: Frame, last: Frame | undefined): ScreenState {
  const placed = withPlacedRows(next);
  const screen = withPresences({...next, screen: withoutRestored(placed)}, last);
  return last === undefined ? screen : withHeldLines({...next, screen}, last);
}

/** The next picture shows them. */
function withoutRestored(screen: ScreenState): ScreenState {
  return screen.restored.size === 0 ? screen : {...screen, restored: new Set()};
}

/** Looks once a minute who is there, and when more people are known. */
function withPresences({account, screen, minute}: Frame, last: Frame | undefined): ScreenState {
  const {presences} = account;
  const isOld = last?.minute !== minute || screen.presences?.byUser.size !== presences.byUser.size;
  return isOld && screen.presences !== presences ? {...screen, presences} : screen;
}
