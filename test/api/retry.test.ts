import {expect, test} from 'vitest';
import {MalformedFailure, PermanentFailure, RetryFailure} from '#api/failure.ts';
import {type RetryOptions, withRetries} from '#api/retry.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const facts = {endpoint: 'x', carriedOut: 'maybe'} as const;
const lost = new RetryFailure('lost', {...facts, reason: 'network'});
const refused = new RetryFailure('refused', {...facts, carriedOut: 'no', reason: 'network'});
const limited = (retryAfterMs: number) =>
  new RetryFailure('slow', {...facts, carriedOut: 'no', reason: 'rateLimit', retryAfterMs});

/** Runs through these outcomes, one per attempt, time passing as asked; what came of it and how long each wait was. */
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
        // After the wait has been set up.
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

test('waits grow until it works', async () => {
  const outcomes = [...Array.from({length: 9}, () => lost), 'done'];
  expect(await run(outcomes, {})).toEqual({
    value: 'done',
    attempts: 10,
    waits: [375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500, 22_500],
  });
});

test('a rate limit is obeyed, with a little more', async () => {
  expect(await run([limited(28_700), limited(0), 'done'], {})).toEqual({
    value: 'done',
    attempts: 3,
    waits: [28_700 * 1.05, 210],
  });
});

test('what may have been carried out is repeated only when that does no harm', async () => {
  expect(await run([lost, 'done'], {idempotent: false})).toEqual({error: lost, attempts: 1, waits: []});
  expect(await run([refused, limited(1000), 'done'], {idempotent: false})).toMatchObject({
    value: 'done',
    attempts: 3,
  });
});

test.each([
  new PermanentFailure('no', {...facts, code: 'BAD_REQUEST'}),
  new MalformedFailure('what', facts),
  new TypeError('ours'),
])('%s is not repeated', async (error) => {
  expect(await run([error, 'done'], {})).toEqual({error, attempts: 1, waits: []});
});

test('attempts can be limited', async () => {
  expect(await run([lost, lost, refused, 'done'], {limit: 3})).toMatchObject({error: refused, attempts: 3});
});

test('an abort ends the wait with its reason, and leaves no timer', async () => {
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
