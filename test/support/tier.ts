import {test} from 'vitest';

/** Whether this is `npm run test:slow`, which runs the files that import this module. */
export const isSlowTier = process.env.PARLEY_TEST_TIER === 'slow';

/** A test of `npm run test:slow` only. A smaller one of its kind is part of `npm test`. */
export const slowTest = test.runIf(isSlowTier);

/** Returns how much of a long test runs: `few` in `npm test`, `all` in `npm run test:slow`. */
export function fewOrAll<T>(few: T, all: T): T {
  return isSlowTier ? all : few;
}
