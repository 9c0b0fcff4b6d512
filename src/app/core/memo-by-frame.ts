import {memoizeLast, RecentAnswers, sameArguments} from '#std/memo.ts';
import type {Frame} from './frame.ts';

/**
 * Remembers answers for as long as everything that they are made from is the same: two of them, unless told otherwise. It must
 * read nothing else. About the same frame it is asked many times: then not even the inputs are compared.
 */
export function memoByFrame<T, Rest extends unknown[] = []>(
  inputs: (frame: Frame, ...rest: Rest) => readonly unknown[],
  compute: (frame: Frame, ...rest: Rest) => T,
  most?: number,
): (frame: Frame, ...rest: Rest) => T {
  const answers = new RecentAnswers<readonly unknown[], T>(most);
  return memoizeLast((frame: Frame, ...rest: Rest) =>
    answers.to(inputs(frame, ...rest), sameArguments, () => compute(frame, ...rest)),
  );
}
