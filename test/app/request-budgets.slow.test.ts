import {expect, test} from 'vitest';
import {requestSituations} from '#test/support/request-situations.ts';

test.each(requestSituations)('requests: $name takes at most $budget', async ({budget, measure}) => {
  const {units, requests} = await measure();
  const names = requests.map(({name}) => name).toSorted();
  expect(names.length / units, names.join('\n')).toBeLessThanOrEqual(budget);
});
