import {expect, test} from 'vitest';
import {type FetchStates, fetchId, watchFetches} from '#state/fetches/fetch-state.ts';
import {type FetchRequest, KeptQueries} from '#state/fetches/kept-queries.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import * as eg from '#test/support/state-builders.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';
import type {ServerEvent} from '#wire/events.ts';

/** Queries whose responses the test gives, in the order of their requests. */
function queriesFixture() {
  const clock = new ManualClock();
  const {context, cache} = unstartedSession(eg.state(), clock);
  const queries = new KeptQueries(context);
  const sent: PromiseWithResolvers<string>[] = [];
  let states: FetchStates = new Map();
  watchFetches(cache.client, (next) => {
    states = next;
  });
  const request = (more: Partial<FetchRequest<string>> = {}): FetchRequest<string> => ({
    key: ['word', 1],
    fetch: () => {
      const answer = Promise.withResolvers<string>();
      sent.push(answer);
      return answer.promise;
    },
    ...more,
  });
  const state = (one: FetchRequest) => states.get(fetchId(one.key));
  const answer = async (one: FetchRequest, text: string | Error) => {
    const last = sent.at(-1);
    if (typeof text === 'string') last?.resolve(text);
    else last?.reject(text);
    await queries.settled([one]);
  };
  return {clock, queries, sent, request, state, answer, ids: () => [...states.keys()]};
}

test('kept queries: a second reader sees the result at once while it is fetched again', async () => {
  const {queries, sent, request, state, answer} = queriesFixture();
  const leave = queries.observe(request());
  expect(state(request())).toEqual({isFetching: true, error: undefined});
  await answer(request(), 'first');
  expect(state(request())).toEqual({isFetching: false, error: undefined, data: 'first'});
  leave();
  queries.observe(request());
  expect(state(request())).toEqual({isFetching: true, error: undefined, data: 'first'});
  await answer(request(), 'second');
  expect([state(request())?.data, sent.length]).toEqual(['second', 2]);
});

test('kept queries: readers that come while it is fetched, also after another one left, do not ask again', async () => {
  const {queries, sent, request, state, answer} = queriesFixture();
  const leave = queries.observe(request());
  queries.observe(request())();
  leave();
  expect(state(request())?.isFetching).toBe(true);
  queries.observe(request());
  await answer(request(), 'first');
  expect([state(request())?.data, sent.length]).toEqual(['first', 1]);
});

test('kept queries: a failure keeps the former result, and is fetched again when asked for', async () => {
  const {queries, sent, request, state, answer} = queriesFixture();
  queries.observe(request());
  await answer(request(), 'first');
  queries.fetchAgain([request()]);
  await answer(request(), new Error('No answer.'));
  expect(state(request())).toEqual({isFetching: false, error: 'No answer.', data: 'first'});
  queries.fetchAgain([request()]);
  expect(state(request())).toEqual({isFetching: true, error: undefined, data: 'first'});
  await answer(request(), 'second');
  expect([state(request()), sent.length]).toEqual([{isFetching: false, error: undefined, data: 'second'}, 3]);
});

test('kept queries: an event makes the response that is on its way outdated; other events, and events without a reader, ask nothing', async () => {
  const {queries, sent, request, state, answer} = queriesFixture();
  const event: ServerEvent = {id: 1, type: 'invites_changed'};
  const outdated = request({isOutdatedBy: ({type}) => type === 'invites_changed'});
  const leave = queries.observe(outdated);
  queries.onEvents([{id: 0, type: 'heartbeat'}]);
  expect(sent).toHaveLength(1);
  queries.onEvents([event, {...event, id: 2}]);
  expect(sent).toHaveLength(2);
  sent[0]?.resolve('old');
  await answer(outdated, 'new');
  expect(state(outdated)?.data).toBe('new');
  queries.onRegistered(false);
  expect(sent).toHaveLength(3);
  await answer(outdated, 'newer');
  leave();
  queries.onEvents([event]);
  queries.onRegistered(false);
  expect(sent).toHaveLength(3);
});

test('kept queries: a polled result is fetched again by the clock while it is read and changes, and not after that', async () => {
  const {clock, queries, sent, request, state, answer} = queriesFixture();
  const polled = request({refetchMs: (word) => (word === 'done' ? undefined : 10_000)});
  const leave = queries.observe(polled);
  await answer(polled, 'busy');
  await expect.poll(() => clock.pending).toBe(1);
  clock.advance(10_000);
  expect(sent).toHaveLength(2);
  await answer(polled, 'done');
  expect([state(polled)?.data, clock.pending]).toEqual(['done', 0]);
  queries.fetchAgain([polled]);
  await answer(polled, 'busy');
  await expect.poll(() => clock.pending).toBe(1);
  leave();
  expect(clock.pending).toBe(0);
  clock.advance(60_000);
  expect(sent).toHaveLength(3);
});

test('kept queries: a constant result is fetched once, and again only after a failure', async () => {
  const {queries, sent, request, answer} = queriesFixture();
  const constant = request({isConstant: true});
  queries.observe(constant)();
  await answer(constant, new Error('No answer.'));
  const leave = queries.observe(constant);
  await answer(constant, 'text');
  queries.fetchAgain([constant]);
  leave();
  queries.observe(constant);
  expect(sent).toHaveLength(2);
});

test('kept queries: at most 24 results are kept that nobody reads', async () => {
  const {queries, request, answer, ids} = queriesFixture();
  queries.observe(request({key: ['read']}));
  await answer(request({key: ['read']}), 'read');
  for (let at = 0; at < 30; at++) {
    const one = request({key: ['word', at]});
    const leave = queries.observe(one);
    await answer(one, String(at));
    leave();
  }
  expect(ids()).toHaveLength(25);
  expect(ids()).toContain('read');
});

test('kept queries: after the end of the session nothing is polled', async () => {
  const {clock, queries, request, answer} = queriesFixture();
  const polled = request({refetchMs: () => 10_000});
  const leave = queries.observe(polled);
  await answer(polled, 'busy');
  await expect.poll(() => clock.pending).toBe(1);
  queries.beforeStop();
  leave();
  expect(clock.pending).toBe(0);
});

test('kept queries: a result that nobody reads is not fetched again after a change', async () => {
  const {queries, sent, request, answer} = queriesFixture();
  const leave = queries.observe(request());
  await answer(request(), 'first');
  leave();
  queries.fetchAgain([request()]);
  expect(sent.length).toBe(1);
});

test('kept queries: a page of messages ends with its last reader', async () => {
  const {queries, state} = queriesFixture();
  const signals: AbortSignal[] = [];
  const page: FetchRequest<string> = {
    key: ['page', 1],
    isPage: true,
    fetch: (_context, signal) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
    },
  };
  const leave = queries.observe(page);
  expect(state(page)?.isFetching).toBe(true);
  leave();
  await queries.settled([page]);
  expect([signals.map(({aborted}) => aborted), state(page)]).toEqual([[true], undefined]);
});
