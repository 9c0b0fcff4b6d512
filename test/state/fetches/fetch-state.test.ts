import {expect, test} from 'vitest';
import {fetchOnce} from '#state/fetches/fetch-page.ts';
import {type FetchStates, fetchId, noFetches, watchFetches} from '#state/fetches/fetch-state.ts';
import {fakeApiFixture} from '#test/state/fake-api-fixture.ts';

function watched() {
  const {context, cache} = fakeApiFixture();
  const fetched = {states: noFetches, changes: 0};
  watchFetches(cache.client, (states: FetchStates) => {
    fetched.states = states;
    fetched.changes += 1;
  });
  const fail = (...key: Parameters<typeof fetchId>[0]) =>
    fetchOnce(context, key, () => Promise.reject(new Error(`No ${fetchId(key)}.`))).catch(() => {});
  return {context, cache, fetched, fail};
}

test('fetch states: a fetch runs, fails with a sentence, runs again, and is idle after its success', async () => {
  const {context, cache, fetched, fail} = watched();
  const failing = fail('topics', 1);
  expect([...fetched.states]).toEqual([['topics 1', {isFetching: true, error: undefined}]]);
  await failing;
  expect([...fetched.states]).toEqual([['topics 1', {isFetching: false, error: 'No topics 1.'}]]);
  const {promise, resolve} = Promise.withResolvers<string>();
  const repeated = [1, 2].map(() => fetchOnce(context, ['topics', 1], () => promise));
  expect([...fetched.states]).toEqual([['topics 1', {isFetching: true, error: undefined}]]);
  resolve('all');
  expect(await Promise.all(repeated)).toEqual(['all', 'all']);
  expect([...fetched.states]).toEqual([]);
  // The result of a fetch does not stay in the query cache.
  expect(cache.client.getQueryCache().findAll({queryKey: ['fetch']})).toEqual([]);
});

test('fetch states: those of fetches that no list shows change nothing and are not kept', async () => {
  const {cache, fetched, fail} = watched();
  await fail('presence');
  expect(fetched).toEqual({states: noFetches, changes: 1});
  expect(cache.client.getQueryCache().findAll({queryKey: ['fetch']})).toEqual([]);
});

test('fetch states: the last 16 failures are kept', async () => {
  const {fetched, fail} = watched();
  for (let id = 1; id <= 20; id++) await fail('topics', id);
  expect(fetched.states.size).toBe(16);
  expect(fetched.states.has('topics 20')).toBe(true);
});
