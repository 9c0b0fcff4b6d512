import {expect, test} from 'vitest';
import {type RetryOptions, withRetries} from '#api/retry.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {MalformedFailure, PermanentFailure, RetryFailure} from '#wire/failure.ts';

const details = {endpoint: 'x', carriedOut: 'maybe'} as const;
const lost = new RetryFailure('lost', {...details, reason: 'network'});
const refused = new RetryFailure('refused', {...details, carriedOut: 'no', reason: 'network'});
const limited = (retryAfterMs: number) =>
  new RetryFailure('slow', {...details, carriedOut: 'no', reason: 'rateLimit', retryAfterMs});

/** Runs the outcomes, one per attempt, on a manual clock. Returns the result, the waits and the number of attempts. */
async function run(outcomes: readonly unknown[], options: Partial<RetryOptions>) {
  const clock = new ManualClock();
  const waits: number[] = [];
  let attempts = 0;
  const result = withRetries(
    async () => {
      const outcome = outcomes[attempts++];
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    {
      clock,
      random: () => 0.5,
      idempotent: true,
      onWait: (_failure, ms) => {
        waits.push(ms);
        // Advances after the wait has been set up.
        queueMicrotask(() => clock.advance(ms));
      },
      ...options,
    },
  );
  const outcome = await result.then(
    (value) => ({value}),
    (error: unknown) => ({error}),
  );
  return {...outcome, waits, attempts};
}

test('retry: waits grow until an attempt succeeds', async () => {
  const outcomes = [...Array.from({length: 9}, () => lost), 'done'];
  expect(await run(outcomes, {})).toEqual({
    value: 'done',
    attempts: 10,
    waits: [375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500, 22_500],
  });
});

test('retry: a rate limit is respected, plus jitter', async () => {
  expect(await run([limited(28_700), limited(0), 'done'], {})).toEqual({
    value: 'done',
    attempts: 3,
    waits: [28_700 * 1.05, 210],
  });
});

test('retry: a request that may have been carried out is repeated only if it is idempotent', async () => {
  expect(await run([lost, 'done'], {idempotent: false})).toEqual({error: lost, attempts: 1, waits: []});
  expect(await run([refused, limited(1000), 'done'], {idempotent: false})).toMatchObject({
    value: 'done',
    attempts: 3,
  });
});

test.each([
  new PermanentFailure('no', {...details, code: 'BAD_REQUEST'}),
  new MalformedFailure('what', details),
  new TypeError('ours'),
])('retry: %s is not repeated', async (error) => {
  expect(await run([error, 'done'], {})).toEqual({error, attempts: 1, waits: []});
});

test('retry: attempts can be limited', async () => {
  expect(await run([lost, lost, refused, 'done'], {limit: 3})).toMatchObject({error: refused, attempts: 3});
});

test('retry: an abort ends the wait with its reason and leaves no timer', async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const reason = new Error('enough');
  let attempts = 0;
  const result = withRetries(
    async () => {
      attempts++;
      throw lost;
    },
    {
      clock,
      random: () => 0,
      idempotent: true,
      signal: abort.signal,
      onWait: () => queueMicrotask(() => abort.abort(reason)),
    },
  );
  await expect(result).rejects.toBe(reason);
  clock.advance(100_000);
  expect(attempts).toBe(1);
  const late = withRetries(async () => 1, {clock, random: () => 0, idempotent: true, signal: abort.signal});
  await expect(late).rejects.toBe(reason);
});

test('retry: only the given reasons are repeated', async () => {
  expect(await run([limited(1000), lost, 'yes'], {reasons: ['rateLimit']})).toMatchObject({error: lost, attempts: 2});
});

test('retry: it does not wait longer in all than it may', async () => {
  const waits = [limited(1000), limited(1000), limited(1000), 'yes'];
  expect(await run(waits, {maxWaitMs: 2200})).toMatchObject({attempts: 3, waits: [1050, 1050]});
  expect(await run(waits, {maxWaitMs: 3150})).toMatchObject({value: 'yes', attempts: 4});
});

test('retry: what a busy server asks for is the least, and waits grow all the same', async () => {
  const busy = new RetryFailure('busy', {...details, carriedOut: 'no', reason: 'gateway', retryAfterMs: 200});
  const {waits} = await run([...Array.from({length: 6}, () => busy), 'yes'], {});
  expect(waits[0]).toBeGreaterThanOrEqual(210);
  expect(waits.at(-1)).toBeGreaterThan(2000);
});
