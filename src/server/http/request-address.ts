import type {IncomingMessage} from 'node:http';
import {isIP} from 'node:net';
import type {ServerContext} from '#server/context.ts';
import type {Clock} from '#std/clock.ts';

/**
 * Returns the network of a request's client, which rate limits apply to. A proxy adds the address that it was called
 * from to the end of X-Forwarded-For; the addresses before it are the client's own claim.
 */
export function clientNetwork(request: IncomingMessage, trustsProxy: boolean): string {
  const header = trustsProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  const address = last !== undefined && isIP(last) !== 0 ? last : (request.socket.remoteAddress ?? '');
  return networkOfAddress(address);
}

/**
 * Returns whether a form was sent by a page of this server. Browsers say where a form is from; other clients send no
 * `Origin`, and have no credentials that another site could use.
 */
export function isSameOrigin(
  {url}: Pick<ServerContext, 'url'>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  const {origin, host} = headers;
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  if (site !== 'same-origin') return false;
  if (origin === undefined) return true;
  return origin === new URL(url).origin || origin === `http://${host}` || origin === `https://${host}`;
}

/** The path and query of a request line. Cheaper to parse than a URL, which matters because every request does it. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Where web apps send requests with a cookie instead of a key. */
export const browserPrefix = '/json/';

const noQuery = new URLSearchParams();

/** Returns undefined for targets other than a path, such as `*` or the URL of another host. */
export function parseRequestTarget(url: string | undefined): RequestTarget | undefined {
  if (url === undefined || !url.startsWith('/')) return undefined;
  const mark = url.indexOf('?');
  if (mark < 0) return {path: url, query: noQuery};
  return {path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1))};
}

/** Returns whether only this machine can reach a server that listens on this host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Returns a function that tells whether a Host header names this server: by one of `names`, as localhost or by an
 * address. A page of another site that lets its own name resolve to this machine, so that the browser lets it read the
 * responses, sends another name.
 */
export function hostCheck(names: readonly string[]): (header: string | undefined) => boolean {
  const known = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  return (header) => {
    // Browsers always send it.
    if (header === undefined) return true;
    const name = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header.toLowerCase());
    const host = name?.[1] ?? name?.[2] ?? '';
    return known.has(host) || host.endsWith('.localhost') || isIP(host) !== 0;
  };
}

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
