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
  usedBytes(): number;
  collect(): Promise<void>;
}

/** Keeps the heap small: collects garbage once when the user and the server pause. While nothing is painted it has no timer. */
export class MemoryLimiter {
  readonly #clock: Clock;
  readonly #host: MemoryHost;
  #paintedAt = 0;
  #usedAfterCollection: number | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, host: MemoryHost = v8Host) {
    this.#clock = clock;
    this.#host = host;
  }

  /** Runs with each painted frame, so it only notes the time while a timer runs. */
  onPaint(): void {
    this.#paintedAt = this.#clock.monotonic();
    this.#cancelTimer ??= this.#clock.after(firstIdleMs, () => this.#collectWhenIdle());
  }

  stop(): void {
    this.#cancelTimer?.();
  }

  #collectWhenIdle(): void {
    const idle = this.#clock.monotonic() - this.#paintedAt;
    const wait = (this.#usedAfterCollection === undefined ? firstIdleMs : idleMs) - idle;
    if (wait > 0) {
      this.#cancelTimer = this.#clock.after(wait, () => this.#collectWhenIdle());
      return;
    }
    this.#cancelTimer = undefined;
    if (this.#host.usedBytes() - (this.#usedAfterCollection ?? 0) < minGarbageBytes) return;
    this.#host.collect().then(() => {
      this.#usedAfterCollection = this.#host.usedBytes();
    });
  }
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
