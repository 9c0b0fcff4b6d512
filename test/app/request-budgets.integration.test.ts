import {expect, test} from 'vitest';
import {requestSituations} from '#test/support/request-situations.ts';
import {isSlowTier} from '#test/support/tier.ts';

/** In `npm test` every other one: each takes most of a second. */
const situations = requestSituations.filter((_, index) => isSlowTier || index % 2 === 0);

test.each(situations)('requests: $name takes at most $budget', async ({budget, measure}) => {
  const {units, requests} = await measure();
  const names = requests.map(({name}) => name).toSorted();
  expect(names.length / units, names.join('\n')).toBeLessThanOrEqual(budget);
});
