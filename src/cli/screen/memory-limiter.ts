import {getHeapStatistics, setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import type {Clock} from '#std/clock.ts';

/** V8's compile cache does not match after a flag has changed, so flags are set when the code of the start is loaded. */
const limitDelayMs = 1000;

/** undici's parser is WebAssembly. V8 would optimize it, which takes 30 MiB, of which 10 stay; it is quick enough without. */
const limitBeforeRequests = '--wasm-tiering-budget=2000000000';
const limits = [
  // The young generation keeps its size. It would grow to 100 MiB and never shrink.
  '--semi-space-growth-factor=1',
  // The old generation is collected when it has grown by a third. It could double.
  '--heap-growing-percent=30',
  // V8's own collections when idle, which wake its threads for some seconds, are replaced by ours.
  '--memory-reducer-gc-count=0',
];
/** A collection leaves the young generation too small for much work. It may grow while `limitDelayMs` last. */
const growingAgain = '--semi-space-growth-factor=2';

/** Garbage is collected after this time without a paint. */
const idleMs = 10_000;
/** The first collection comes sooner: V8 limits the old generation by what the last one left, and not at all before. */
const firstIdleMs = 1000;
/** A collection takes 50 to 100 ms of CPU time, so there is none for less than this. */
const minGarbageBytes = 8 * 1024 * 1024;

export interface MemoryHost {
  setFlag(flag: string): void;
  usedBytes(): number;
  collect(): void;
}

/**
 * Keeps the heap small: limits its growth, and collects garbage once when the user and the server pause. While nothing is
 * painted it has no timer.
 */
export class MemoryLimiter {
  readonly #clock: Clock;
  readonly #host: MemoryHost;
  #paintedAt = 0;
  #usedAfterCollection: number | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, host: MemoryHost = v8Host) {
    this.#clock = clock;
    this.#host = host;
    host.setFlag(limitBeforeRequests);
  }

  /** Runs with each painted frame, so it only notes the time while a timer runs. */
  onPaint(): void {
    this.#paintedAt = this.#clock.monotonic();
    this.#cancelTimer ??= this.#clock.after(limitDelayMs, () => {
      for (const flag of limits) this.#host.setFlag(flag);
      this.#collectWhenIdle();
    });
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
    this.#host.collect();
    this.#usedAfterCollection = this.#host.usedBytes();
    this.#host.setFlag(growingAgain);
  }
}

export const v8Host: MemoryHost = {
  setFlag: setFlagsFromString,
  usedBytes: () => getHeapStatistics().used_heap_size,
  collect() {
    // Only a context that is created with this flag has the function.
    setFlagsFromString('--expose-gc');
    const gc: (options: object) => void = runInNewContext('gc');
    setFlagsFromString('--no-expose-gc');
    // This flavor also returns the freed pages to the system and shrinks the young generation.
    gc({type: 'major', execution: 'sync', flavor: 'last-resort'});
  },
};
