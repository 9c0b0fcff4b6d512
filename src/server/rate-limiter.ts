import type {Clock} from '#std/clock.ts';

export interface RateLimitResult {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** UNIX second at which the budget is full again. */
  readonly resetAt: number;
  readonly retryAfter: number;
}

const roundingTolerance = 1e-6;

/** Allows `limit` calls of each key in any `windowSeconds`. Refused calls do not count. One call may count as several. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #windowSeconds: number;
  /** The times of the counted calls, oldest first. */
  readonly #calls = new Map<string, number[]>();

  constructor(clock: Clock, limit: number, windowSeconds: number) {
    this.#clock = clock;
    this.#limit = limit;
    this.#windowSeconds = windowSeconds;
  }

  take(key: string, count = 1): RateLimitResult {
    const now = this.#clock.monotonic() / 1000;
    const calls = this.#callsInWindow(key, now);
    const excess = calls.length + count - this.#limit;
    const allowed = excess <= 0;
    // This one is allowed when so many of the oldest have left the window.
    const obstacle = calls[excess - 1] ?? now;
    if (allowed) for (let taken = 0; taken < count; taken++) calls.push(now);
    this.#calls.set(key, calls);
    if (this.#calls.size > 10_000) this.#removeUnused(now);
    return {
      allowed,
      limit: this.#limit,
      remaining: this.#limit - calls.length,
      resetAt: Math.ceil(this.#clock.now() / 1000 - now + (calls.at(-1) ?? now) + this.#windowSeconds),
      retryAfter: allowed ? 0 : obstacle + this.#windowSeconds - now,
    };
  }

  #callsInWindow(key: string, now: number): number[] {
    // A client that waited exactly `retryAfter` must not be refused because of a rounding error.
    const start = now - this.#windowSeconds + roundingTolerance;
    const calls = this.#calls.get(key) ?? [];
    const first = calls.findIndex((at) => at > start);
    if (first < 0) return [];
    if (first === 0) return calls;
    return calls.slice(first);
  }

  #removeUnused(now: number): void {
    for (const [key, calls] of this.#calls) {
      if ((calls.at(-1) ?? 0) <= now - this.#windowSeconds) this.#calls.delete(key);
    }
  }
}
