import {memoizeLast, RecentResults, sameArguments} from '#std/memo.ts';
import type {Frame} from './frame.ts';

/**
 * Memoizes a function of the frame by its inputs. It keeps the last two results unless `maxResults` says otherwise.
 * `compute` must read nothing but the inputs. Repeated calls with the same frame do not even compare the inputs.
 */
export function memoByFrame<T, Rest extends unknown[] = []>(
  inputs: (frame: Frame, ...rest: Rest) => readonly unknown[],
  compute: (frame: Frame, ...rest: Rest) => T,
  maxResults?: number,
): (frame: Frame, ...rest: Rest) => T {
  const results = new RecentResults<readonly unknown[], T>(maxResults);
  return memoizeLast((frame: Frame, ...rest: Rest) =>
    results.get(inputs(frame, ...rest), sameArguments, () => compute(frame, ...rest)),
  );
}
