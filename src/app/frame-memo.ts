import {TwoAnswers} from '#std/memo.ts';
import type {Frame} from './frame.ts';

/**
 * Remembers answers for as long as everything that they are made from is the same. It must read nothing else. `compute` may
 * start from the answer before, which was about another frame: it must give what it would give without it.
 */
export function memoByFrame<T>(
  inputs: (frame: Frame) => readonly unknown[],
  compute: (frame: Frame, before: T | undefined) => T,
): (frame: Frame) => T {
  const answers = new TwoAnswers<readonly unknown[], T>();
  return (frame) => answers.to(inputs(frame), sameItems, (before) => compute(frame, before));
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
