import type {Frame} from './frame.ts';

/** Remembers the last answer for as long as everything that it is made from is the same. It must read nothing else. */
export function memoByFrame<T>(
  inputs: (frame: Frame) => readonly unknown[],
  compute: (frame: Frame) => T,
): (frame: Frame) => T {
  let last: {readonly inputs: readonly unknown[]; readonly answer: T} | undefined;
  return (frame) => {
    const now = inputs(frame);
    if (last === undefined || !sameItems(last.inputs, now)) last = {inputs: now, answer: compute(frame)};
    return last.answer;
  };
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
