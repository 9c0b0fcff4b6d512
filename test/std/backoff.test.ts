import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Backoff} from '#std/backoff.ts';

test('backoff: waits double up to the cap, and start again after a reset', () => {
  const backoff = new Backoff(() => 1);
  expect(Array.from({length: 9}, () => backoff.next())).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ]);
  backoff.reset();
  expect(backoff.next()).toBe(500);
});

test('backoff: a wait is between half of its step and the whole step, and never above the cap', () => {
  const options = fc.record({
    firstMs: fc.integer({min: 1, max: 10_000}),
    capMs: fc.integer({min: 1, max: 100_000}),
    factor: fc.double({min: 1, max: 4, noNaN: true}),
  });
  const randoms = fc.array(fc.double({min: 0, max: 1, maxExcluded: true, noNaN: true}), {maxLength: 30});
  fc.assert(
    fc.property(options, randoms, (settings, numbers) => {
      let random = 0;
      const backoff = new Backoff(() => random, settings);
      let step = Math.min(settings.firstMs, settings.capMs);
      for (const number of numbers) {
        random = number;
        const ms = backoff.next();
        expect(ms).toBeGreaterThanOrEqual(step / 2);
        expect(ms).toBeLessThanOrEqual(step);
        step = Math.min(step * settings.factor, settings.capMs);
      }
    }),
  );
});
