import {expect, test} from 'vitest';
import {RetryTimer} from '#state/outbox/outbox-sender.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

test('retry timer: delays grow with each failure and are short again when the server is reachable again', async () => {
  const clock = new ManualClock();
  const timer = new RetryTimer({clock, signal: new AbortController().signal, random: () => 1}, () => {});
  const delayMs = async () => {
    const start = clock.now();
    const isOver = timer.waitAfterFailure(undefined);
    while (clock.pending > 0) clock.advance(100);
    await isOver;
    return clock.now() - start;
  };
  expect([await delayMs(), await delayMs(), await delayMs()]).toEqual([500, 1000, 2000]);
  const pause = timer.waitAfterFailure(undefined);
  timer.resetAndWake();
  await pause;
  expect([await delayMs(), await delayMs()]).toEqual([500, 1000]);
});
