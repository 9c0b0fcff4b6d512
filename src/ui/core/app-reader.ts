import {timelineOf} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import type {Clock} from '#std/clock.ts';
import type {AppInfo, Frame} from './frame.ts';
import type {ScreenState} from './screen-state.ts';

/**
 * The parts of the app that say what a key would do now, all of them known from a frame: hints are computed from the same
 * functions as the commands.
 */
export interface AppReader {
  readonly screen: ScreenState;
  readonly frame: Frame;
  readonly state: AccountState;
  readonly info: AppInfo;
  readonly clock: Pick<Clock, 'now'>;
  readonly frames: {readonly paintedFrame: Frame; readonly hasInputSincePaint: boolean};
}

/** Returns the app as it is when this frame is painted. */
export function readerOf(frame: Frame): AppReader {
  return {
    frame,
    screen: frame.screen,
    state: frame.account,
    info: frame.info,
    clock: {now: () => frame.minute},
    frames: {paintedFrame: frame, hasInputSincePaint: false},
  };
}

/**
 * Whether a change since the painted frame is what the user waits for: a toast, a menu, a view, an own message, or messages
 * that were loading. Others, such as an arriving message or a toast that ends, would interrupt a screen reader.
 */
export function isAwaited(next: Frame, painted: Frame): boolean {
  const [before, after] = [painted.screen, next.screen];
  const hasToast = after.toast !== undefined && after.toast.id !== before.toast?.id;
  return (
    hasToast ||
    awaitedFields.some((field) => before[field] !== after[field]) ||
    next.fetches !== painted.fetches ||
    next.display !== painted.display ||
    next.account.outbox !== painted.account.outbox ||
    isLoading(painted)
  );
}

const awaitedFields = ['overlays', 'view', 'focus', 'composer', 'size'] as const;

function isLoading({account, screen}: Frame): boolean {
  if (account.connection.phase === 'starting') return true;
  if (screen.view.kind !== 'messages') return false;
  const timeline = timelineOf(account, screen.view.narrow);
  return timeline === undefined || timeline.loading !== undefined;
}
