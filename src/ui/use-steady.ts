import {useRef} from 'react';
import type {Frame} from '#app/core/frame.ts';
import {deepEqual} from '#std/deep-equal.ts';

/** Gives the object from before when the new one says the same, so that nothing is drawn again because of it. */
export function useStableSelector<T>(select: (frame: Frame) => T): (frame: Frame) => T {
  const before = useRef<{readonly frame: Frame; readonly value: T} | undefined>(undefined);
  return (frame) => {
    const last = before.current;
    if (last?.frame === frame) return last.value;
    const next = select(frame);
    const value = last !== undefined && deepEqual(next, last.value) ? last.value : next;
    before.current = {frame, value};
    return value;
  };
}
