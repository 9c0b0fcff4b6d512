import {createContext, useContext, useRef, useSyncExternalStore} from 'react';
import {deepEqual} from '#std/deep-equal.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {FrameScheduler} from '#ui/core/frame-scheduler.ts';

/** The part of the app that components read: the frame to paint, and when there is a new one. */
interface FrameProvider {
  readonly frames: Pick<FrameScheduler, 'paintedFrame' | 'subscribe'>;
}

export const AppContext = createContext<FrameProvider | undefined>(undefined);

/**
 * Returns a part of the current frame. The component renders again when the selected value is another object, so `select`
 * must return the same object for the same content.
 */
export function useFrame<T>(select: (frame: Frame) => T): T {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error('A component of the screen is rendered outside of AppContext');
  return useSyncExternalStore(app.frames.subscribe, () => select(app.frames.paintedFrame));
}

/** Returns a selector that returns its last value for as long as `select` returns an equal one. */
export function useStableSelector<T>(select: (frame: Frame) => T): (frame: Frame) => T {
  const lastSelected = useRef<{readonly frame: Frame; readonly value: T} | undefined>(undefined);
  return (frame) => {
    const last = lastSelected.current;
    if (last?.frame === frame) return last.value;
    const next = select(frame);
    const value = last !== undefined && deepEqual(next, last.value) ? last.value : next;
    lastSelected.current = {frame, value};
    return value;
  };
}
