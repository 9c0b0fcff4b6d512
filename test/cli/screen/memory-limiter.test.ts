import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {type MemoryHost, memoryLimiter, v8Host} from '#cli/screen/memory-limiter.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {slowTest} from '#test/support/tier.ts';

const mebibyte = 1024 * 1024;

/** A heap that grows only when the test says so; a collection brings it back to 20 MiB. */
function limited() {
  const clock = new ManualClock();
  const heap = {used: 50 * mebibyte, collections: 0};
  const host: MemoryHost = {
    usedBytes: () => heap.used,
    collect: async () => {
      heap.collections++;
      heap.used = 20 * mebibyte;
    },
  };
  return {clock, heap, limiter: memoryLimiter(clock, host)};
}

test('memory: garbage is collected once when painting pauses, not while it goes on', async () => {
  const {clock, heap, limiter} = limited();
  const paints = (everyMs: number) => {
    for (let paint = 0; paint < 20; paint++) {
      limiter.onPaint();
      clock.advance(everyMs);
    }
  };
  paints(500);
  expect(heap.collections).toBe(0);
  clock.advance(1000);
  expect(heap.collections).toBe(1);
  await setImmediate();
  heap.used = 50 * mebibyte;
  paints(5000);
  expect(heap.collections).toBe(1);
  clock.advance(60_000);
  expect(heap.collections).toBe(2);
});

test('memory: nothing is collected for a paint that left little garbage', async () => {
  const {clock, heap, limiter} = limited();
  limiter.onPaint();
  clock.advance(60_000);
  await setImmediate();
  heap.used += mebibyte;
  limiter.onPaint();
  clock.advance(60_000);
  expect(heap.collections).toBe(1);
  heap.used += 10 * mebibyte;
  limiter.onPaint();
  clock.advance(60_000);
  expect(heap.collections).toBe(2);
});

test('memory: a clock that is set back does not stop collections', () => {
  const {heap, limiter, clock} = limited();
  clock.advance(3_600_000);
  limiter.onPaint();
  const hour = 3_600_000;
  const now = clock.now.bind(clock);
  clock.now = () => now() - hour;
  clock.advance(10_000);
  expect(heap.collections).toBe(1);
});

test('memory: nothing is collected after the screen is closed', () => {
  const {clock, heap, limiter} = limited();
  limiter.onPaint();
  limiter.stop();
  clock.advance(60_000);
  expect(heap.collections).toBe(0);
});

test('memory: no timer is left while nothing is painted', () => {
  const {clock, limiter} = limited();
  limiter.onPaint();
  clock.advance(60_000);
  expect(clock.pending).toBe(0);
});

slowTest('memory: V8 frees what nothing refers to', async () => {
  const garbage = new WeakRef({text: 'x'.repeat(1000)});
  await setImmediate(); // A new reference keeps its object until the end of the task.
  await v8Host.collect();
  expect(garbage.deref()).toBeUndefined();
});
