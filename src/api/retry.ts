import {Backoff, type BackoffOptions} from '#std/backoff.ts';
import type {Clock} from '#std/clock.ts';
import {isApiFailure, type RetryFailure} from './failure.ts';

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Whether doing it twice is the same as doing it once. If not, only what was certainly not done is repeated. */
  readonly idempotent: boolean;
  /** Attempts altogether; without it, until it works. */
  readonly limit?: number | undefined;
  readonly backoff?: BackoffOptions | undefined;
  /** Told before each wait. */
  readonly onWait?: ((failure: RetryFailure, ms: number) => void) | undefined;
}

/** Repeats an attempt while that can help and may be done. Throws the last failure, or the signal's reason. */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const {clock, random, signal, idempotent, limit = Number.POSITIVE_INFINITY} = options;
  const backoff = new Backoff(random, options.backoff);
  for (let attempts = 1; ; attempts++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isApiFailure(error) || error.kind !== 'retry') throw error;
      if (attempts >= limit || (!idempotent && error.carriedOut !== 'no')) throw error;
      const ms = waitAfter(error, backoff, random);
      options.onWait?.(error, ms);
      await delay(ms, clock, signal);
    }
  }
}

/** Even a server that asks for no wait at all gets a moment. */
const shortestMs = 200;

/** As long as the server asked, and a little more, so that not everybody comes back at once. */
function waitAfter(
  {reason, retryAfterMs: asked}: RetryFailure,
  backoff: Backoff,
  random: () => number,
): number {
  const own = backoff.next();
  if (asked === undefined) return own;
  const told = Math.max(shortestMs, asked) * (1 + random() / 10);
  return reason === 'rateLimit' ? told : Math.max(told, own);
}

/** Rejects with the signal's reason when it aborts. */
export function delay(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, {once: true});
  });
}
