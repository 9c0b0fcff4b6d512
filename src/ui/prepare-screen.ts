import {type Frame, shownToast} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {withPositionedRows} from '#ui/inbox/triage-rows.ts';
import {withPinnedCursorLine} from '#ui/lists/pinned-lines.ts';
import {withMovedUnreadLine} from '#ui/message-pane/shown-timeline.ts';
import {screenLayout} from './screen-layout.ts';

/**
 * Returns the screen for the next paint: rows that arrived since the last paint get their positions in the
 * inbox, the cursor stays on the line where the user saw it, the unread separator stays, and presence is as of the
 * current minute.
 * Everything that depends on the previous paint is decided here, so that painting a frame changes nothing.
 */
export function prepareScreen(next: Frame, last: Frame | undefined): ScreenState {
  const positioned = withPositionedRows({...next, screen: withSinglePane(next)});
  const screen = withPresences({...next, screen: withToastKeys({...next, screen: withoutRestored(positioned)})}, last);
  if (last === undefined) return screen;
  const pinned = withPinnedCursorLine({...next, screen}, last, inboxList, screenLayout);
  return withMovedUnreadLine({...next, screen: pinned}, last);
}

/** A screen reader reads lines, and so across panes side by side. */
function withSinglePane({screen, display}: Frame): ScreenState {
  const isSingle = display.glyphs === 'words';
  return isSingle === (screen.panes.isSingle ?? false) ? screen : {...screen, panes: {...screen.panes, isSingle}};
}

/** Clears the messages that undo made unread: the next paint shows them. */
function withoutRestored(screen: ScreenState): ScreenState {
  return screen.restored.size === 0 ? screen : {...screen, restored: new Set()};
}

/** Updates the keys that the toast offers: they may do something else where the user is now. */
function withToastKeys(frame: Frame): ScreenState {
  const {screen} = frame;
  const {toast} = screen;
  if (toast?.message === undefined) return screen;
  const shown = shownToast(frame, toast.message);
  return shown.text === toast.text ? screen : {...screen, toast: {...toast, ...shown}};
}

/** Updates presence once a minute, and whenever the number of known users changes. */
function withPresences({account, screen, minute}: Frame, last: Frame | undefined): ScreenState {
  const {presences} = account;
  const isOld = last?.minute !== minute || screen.presences?.byUser.size !== presences.byUser.size;
  return isOld && screen.presences !== presences ? {...screen, presences} : screen;
}
