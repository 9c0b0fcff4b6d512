import {Session} from 'node:inspector';
import {getHeapStatistics} from 'node:v8';
import type {Clock} from '#std/clock.ts';

/** Garbage is collected after this time without a paint. */
const idleMs = 10_000;
/** The first collection comes sooner: V8 limits the old generation by what the last one left, and not at all before. */
const firstIdleMs = 1000;
/** A collection takes 50 to 100 ms of CPU time, so there is none for less than this. */
const minGarbageBytes = 8 * 1024 * 1024;

export interface MemoryHost {
  /** A smaller amount is not collected; 8 MiB by default. */
  readonly minGarbageBytes?: number;
  usedBytes(): number;
  collect(): Promise<void>;
}

/** Keeps the heap small: collects garbage once when the user and the server pause. While nothing is painted it has no timer. */
export function memoryLimiter(clock: Clock, host: MemoryHost = v8Host) {
  let paintedAt = 0;
  let usedAfterCollection: number | undefined;
  let cancelTimer: (() => void) | undefined;
  const collectWhenIdle = () => {
    const idle = clock.monotonic() - paintedAt;
    const wait = (usedAfterCollection === undefined ? firstIdleMs : idleMs) - idle;
    if (wait > 0) {
      cancelTimer = clock.after(wait, collectWhenIdle);
      return;
    }
    cancelTimer = undefined;
    if (host.usedBytes() - (usedAfterCollection ?? 0) < (host.minGarbageBytes ?? minGarbageBytes)) return;
    void host.collect().then(() => {
      usedAfterCollection = host.usedBytes();
    });
  };
  return {
    /** Runs with each painted frame, so it only notes the time while a timer runs. */
    onPaint: () => {
      paintedAt = clock.monotonic();
      cancelTimer ??= clock.after(firstIdleMs, collectWhenIdle);
    },
    stop: () => cancelTimer?.(),
  };
}

export const v8Host: MemoryHost = {
  usedBytes: () => getHeapStatistics().used_heap_size,
  /** Also returns the freed pages to the system. V8 collects in a task of its own, soon after this. */
  collect: () =>
    new Promise((resolve) => {
      const session = new Session();
      session.connect();
      // To disconnect in the callback would block the process.
      session.post('HeapProfiler.collectGarbage', () =>
        setImmediate(() => {
          session.disconnect();
          resolve();
        }),
      );
    }),
};
