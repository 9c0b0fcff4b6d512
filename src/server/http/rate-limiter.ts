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

/** Allows `limit` calls of each key in any `windowSeconds`. Refused calls do not count. */
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

  take(key: string): RateLimitResult {
    const now = this.#clock.monotonic() / 1000;
    const calls = this.#callsInWindow(key, now);
    const [oldest = now] = calls;
    const allowed = calls.length < this.#limit;
    if (allowed) calls.push(now);
    this.#calls.set(key, calls);
    if (this.#calls.size > 10_000) this.#removeUnused(now);
    return {
      allowed,
      limit: this.#limit,
      remaining: this.#limit - calls.length,
      resetAt: Math.ceil(this.#clock.now() / 1000 - now + (calls.at(-1) ?? now) + this.#windowSeconds),
      retryAfter: allowed ? 0 : oldest + this.#windowSeconds - now,
    };
  }

  #callsInWindow(key: string, now: number): number[] {
    // A client that waited exactly `retryAfter` must not be refused because of a rounding error.
    const start = now - this.#windowSeconds + roundingTolerance;
    const calls = this.#calls.get(key) ?? [];
    const first = calls.findIndex((at) => at > start);
    return first < 0 ? [] : first === 0 ? calls : calls.slice(first);
  }

  #removeUnused(now: number): void {
    for (const [key, calls] of this.#calls) {
      if ((calls.at(-1) ?? 0) <= now - this.#windowSeconds) this.#calls.delete(key);
    }
  }
}

/** Returns the network that a rate limit applies to: an IPv4 address, or the /64 that an IPv6 household has. */
export function networkOfAddress(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const [first, last] = [head, tail ?? ''].map((text) => text.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0);
  return [...(first ?? []), ...Array.from({length: Math.max(0, zeros)}, () => '0'), ...(last ?? [])]
    .slice(0, 4)
    .join(':');
}
