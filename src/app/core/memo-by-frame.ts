import {TwoEntryCache} from '#std/memo.ts';
import type {Frame} from './frame.ts';

/** Remembers answers for as long as everything that they are made from is the same. It must read nothing else. */
export function memoByFrame<T>(
  inputs: (frame: Frame) => readonly unknown[],
  compute: (frame: Frame) => T,
): (frame: Frame) => T {
  const answers = new TwoEntryCache<readonly unknown[], T>();
  return (frame) => answers.get(inputs(frame), sameItems, () => compute(frame));
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
