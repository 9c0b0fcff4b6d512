import {isDiskFull} from '#server/db/database.ts';
import type {Clock} from '#std/clock.ts';

export type Log = (line: string, error?: unknown) => void;

/** Returns a clock whose timers log what their tasks throw: nothing else would catch it. */
export function guardedClock(clock: Clock, log: Log): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, task) => clock.after(ms, guarded(task, log)),
  };
}

/** Returns a task for a timer: what it throws is logged. */
export function guarded(task: () => void, log: Log): () => void {
  return () => {
    try {
      task();
    } catch (error) {
      log('A task of the server failed', error);
    }
  };
}

const defaultRetryMs = 60_000;

/** Returns the milliseconds until the work is to be done again; undefined when nothing is to do. */
type Work = () => number | undefined;

/** Work that the server repeats by a timer. After a failure, which is logged, it is tried again. */
export class BackgroundTask {
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #retryMs: number;
  readonly #work: Work;
  #cancel = () => {};
  #isStopped = false;

  /** `name` is a part of the line in the log: “Deleting old messages”. */
  constructor(
    {clock, log, name, retryMs = defaultRetryMs}: {clock: Clock; log: Log; name: string; retryMs?: number},
    work: Work,
  ) {
    this.#clock = clock;
    this.#onFailure = (error) => log(`${name} failed`, isDiskFull(error) ? 'the disk is full' : error);
    this.#retryMs = retryMs;
    this.#work = work;
  }

  /** Does the work in `ms` and at no other time; without `ms`, not until it is scheduled again. */
  schedule(ms: number | undefined): void {
    this.#cancel();
    this.#cancel = ms === undefined || this.#isStopped ? () => {} : this.#clock.after(ms, () => this.attempt());
  }

  /** Does the work now, or another part of it, and schedules the next time. */
  attempt(work = this.#work): void {
    let nextMs: number | undefined = this.#retryMs;
    try {
      nextMs = work();
    } catch (error) {
      this.#onFailure(error);
    }
    this.schedule(nextMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }
}
