import {RecentAnswers, sameArguments} from '#std/memo.ts';
import type {Frame} from './frame.ts';

/**
 * Remembers answers for as long as everything that they are made from is the same: two of them, unless told otherwise. It must
 * read nothing else.
 */
export function memoByFrame<T, Rest extends readonly unknown[] = []>(
  inputs: (frame: Frame, ...rest: Rest) => readonly unknown[],
  compute: (frame: Frame, ...rest: Rest) => T,
  most?: number,
): (frame: Frame, ...rest: Rest) => T {
  const answers = new RecentAnswers<readonly unknown[], T>(most);
  return (frame, ...rest) => answers.to(inputs(frame, ...rest), sameArguments, () => compute(frame, ...rest));
}
