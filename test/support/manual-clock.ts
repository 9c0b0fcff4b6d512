import type {Clock} from '#std/clock.ts';

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

/** A clock that advances only when a test says so. */
export class ManualClock implements Clock {
  /** The wall clock minus the monotonic clock. */
  #offset: number;
  #monotonic = 0;
  #timers: Timer[] = [];

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#offset = now;
  }

  now(): number {
    return this.#offset + this.#monotonic;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  /** Sets the wall clock ahead, or back by a negative number, as a user does. Timers are not affected. */
  setAhead(ms: number): void {
    this.#offset += ms;
  }

  /** Returns UNIX seconds. */
  seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  /** The number of timers that have not run yet. */
  get pending(): number {
    return this.#timers.length;
  }

  after(ms: number, task: () => void): () => void {
    const timer = {at: this.#monotonic + ms, task};
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Runs all timers that fall due on the way, each at its time, including those that they start. */
  advance(ms: number): void {
    const end = this.#monotonic + ms;
    for (;;) {
      const next = this.#nextBy(end);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#monotonic = Math.max(this.#monotonic, next.at);
      next.task();
    }
    this.#monotonic = end;
  }

  #nextBy(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  }
}
