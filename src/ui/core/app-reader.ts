import type {Clock} from '#std/clock.ts';
import type {App} from './app.ts';
import type {Frame} from './frame.ts';
import type {FrameScheduler} from './frame-scheduler.ts';

/**
 * The parts of the app that say what a key would do now, all of them known from a frame: hints are computed from the same
 * functions as the commands.
 */
export interface AppReader extends Pick<App, 'screen' | 'frame' | 'state' | 'info'> {
  readonly clock: Pick<Clock, 'now'>;
  readonly frames: Pick<FrameScheduler, 'paintedFrame' | 'hasInputSincePaint'>;
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
