import {expect, onTestFinished, test} from 'vitest';
import {scratchFile} from '#test/storage/storage-fixture.ts';
import {startCountingServer} from '#test/support/request-counter.ts';

const minuteMs = 60_000;

test('idle: timers of the client run at most twelve times a minute', async () => {
  const counting = await startCountingServer({path: scratchFile()});
  onTestFinished(() => counting.close());
  const app = counting.open();
  onTestFinished(() => app.stop());
  await app.settle();
  // Work that follows the start, such as loading emoji, is over.
  await app.pass(2 * minuteMs);
  const before = app.timersRun();
  await app.pass(5 * minuteMs);
  expect((app.timersRun() - before) / 5).toBeLessThanOrEqual(12);
});
