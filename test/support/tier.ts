import {test} from 'vitest';

/** Whether this is `npm run test:slow`, which runs the files that import this module. */
export const isSlowTier = process.env.PARLEY_TEST_TIER === 'slow';

/** A test of `npm run test:slow` only. A smaller one of its kind is part of `npm test`. */
export const slowTest = test.runIf(isSlowTier);

/** Returns the first rows of a table of tests in `npm test`, and all in `npm run test:slow`. */
export function fewOf<const T>(rows: readonly T[], count = 1): readonly T[] {
  return isSlowTier ? rows : rows.slice(0, count);
}

/** Returns how much of a long test runs: `few` in `npm test`, `all` in `npm run test:slow`. */
export function fewOrAll<T>(few: T, all: T): T {
  return isSlowTier ? all : few;
}
