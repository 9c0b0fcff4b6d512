import type {Clock} from '#std/clock.ts';

/** A clock that moves only when told to, running what falls due on the way, in order. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<{at: number; task: () => void}>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, task: () => void): () => void {
    const timer = {at: this.#now + ms, task};
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({at}) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.task();
    }
    this.#now = end;
  }
}
