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

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** A token bucket per key: `limit` calls in a burst, refilled evenly over `windowSeconds`. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #windowSeconds: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, limit: number, windowSeconds: number) {
    this.#clock = clock;
    this.#limit = limit;
    this.#windowSeconds = windowSeconds;
  }

  take(key: string, cost = 1): RateLimitResult {
    const now = this.#clock.now() / 1000;
    const perSecond = this.#limit / this.#windowSeconds;
    const bucket = this.#buckets.get(key) ?? {tokens: this.#limit, filledAt: now};
    bucket.tokens = Math.min(this.#limit, bucket.tokens + (now - bucket.filledAt) * perSecond);
    bucket.filledAt = now;
    // A client that waited exactly `retryAfter` must not be refused because of a rounding error.
    const allowed = bucket.tokens >= cost - roundingTolerance;
    if (allowed) bucket.tokens = Math.max(0, bucket.tokens - cost);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > 10_000) this.#removeFull(now, perSecond);
    return {
      allowed,
      limit: this.#limit,
      remaining: Math.floor(bucket.tokens),
      resetAt: Math.ceil(now + (this.#limit - bucket.tokens) / perSecond),
      retryAfter: allowed ? 0 : (cost - bucket.tokens) / perSecond,
    };
  }

  #removeFull(now: number, perSecond: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (bucket.tokens + (now - bucket.filledAt) * perSecond >= this.#limit) this.#buckets.delete(key);
    }
  }
}

/** Returns the network that a rate limit applies to: an IPv4 address, or the /64 that an IPv6 household has. */
export function networkOfAddress(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const first = groupsOf(head);
  if (tail === undefined) return first.slice(0, 4).join(':');
  const last = groupsOf(tail);
  const zeros = Array.from({length: Math.max(0, 8 - first.length - last.length)}, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
