import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {type MemoryHost, MemoryLimiter, v8Host} from '#cli/screen/memory-limiter.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const mebibyte = 1024 * 1024;

/** A heap that grows only when the test says so; a collection brings it back to 20 MiB. */
function limited() {
  const clock = new ManualClock();
  const heap = {used: 50 * mebibyte, collections: 0, flags: [] as string[]};
  const host: MemoryHost = {
    setFlag: (flag) => heap.flags.push(flag),
    usedBytes: () => heap.used,
    collect: () => {
      heap.collections++;
      heap.used = 20 * mebibyte;
    },
  };
  return {clock, heap, limiter: new MemoryLimiter(clock, host)};
}

test('memory: garbage is collected once when painting pauses, not while it goes on', () => {
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
  heap.used = 50 * mebibyte;
  paints(5000);
  expect(heap.collections).toBe(1);
  clock.advance(60_000);
  expect(heap.collections).toBe(2);
});

test('memory: nothing is collected for a paint that left little garbage', () => {
  const {clock, heap, limiter} = limited();
  limiter.onPaint();
  clock.advance(60_000);
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

test('memory: the heap is limited only after the start, except for the parser of responses, and not at all if the program ends before', () => {
  const {clock, heap, limiter} = limited();
  limiter.onPaint();
  clock.advance(999);
  expect(heap.flags).not.toContain('--semi-space-growth-factor=1');
  clock.advance(1);
  expect(heap.flags).toContain('--semi-space-growth-factor=1');
  const ended = limited();
  ended.limiter.onPaint();
  ended.limiter.stop();
  ended.clock.advance(60_000);
  expect([ended.heap.flags.length, ended.heap.collections]).toEqual([1, 0]);
});

test('memory: the young generation, which a collection shrinks, may grow again for a moment', () => {
  const {clock, heap, limiter} = limited();
  const growth = () => heap.flags.filter((flag) => flag.includes('growth-factor')).at(-1);
  limiter.onPaint();
  clock.advance(60_000);
  expect(growth()).toBe('--semi-space-growth-factor=2');
  limiter.onPaint();
  clock.advance(1000);
  expect(growth()).toBe('--semi-space-growth-factor=1');
});

test('memory: no timer is left while nothing is painted', () => {
  const {clock, limiter} = limited();
  limiter.onPaint();
  clock.advance(60_000);
  expect(clock.pending).toBe(0);
});

test('memory: V8 frees what nothing refers to, and its function for that does not stay global', async () => {
  const garbage = new WeakRef({text: 'x'.repeat(1000)});
  await setImmediate(); // A new reference keeps its object until the end of the task.
  v8Host.collect();
  expect(garbage.deref()).toBeUndefined();
  expect(globalThis).not.toHaveProperty('gc');
});
