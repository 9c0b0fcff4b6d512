import type {Clock} from '#std/clock.ts';

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

/** A clock that advances only when a test says so. */
export class ManualClock implements Clock {
  #now: number;
  #timers: Timer[] = [];

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Returns UNIX seconds. */
  seconds(): number {
    return Math.floor(this.#now / 1000);
  }

  /** The number of timers that have not run yet. */
  get pending(): number {
    return this.#timers.length;
  }

  after(ms: number, task: () => void): () => void {
    const timer = {at: this.#now + ms, task};
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Runs all timers that fall due on the way, each at its time, including those that they start. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#nextBy(end);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
    }
    this.#now = end;
  }

  #nextBy(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  }
}
