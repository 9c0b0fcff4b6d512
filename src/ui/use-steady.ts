import {useRef} from 'react';
import type {Frame} from '#app/frame.ts';
import {equal} from '#std/equal.ts';

/** Gives the object from before when the new one says the same, so that nothing is drawn again because of it. */
export function useSteady<T>(select: (frame: Frame) => T): (frame: Frame) => T {
  const before = useRef<{readonly value: T} | undefined>(undefined);
  return (frame) => {
    const next = select(frame);
    if (before.current === undefined || !equal(next, before.current.value)) before.current = {value: next};
    return before.current.value;
  };
}
