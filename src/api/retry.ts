import {Backoff, type BackoffOptions} from '#std/backoff.ts';
import type {Clock} from '#std/clock.ts';
import {isApiFailure, type RetryFailure, type RetryReason} from '#wire/failure.ts';

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Whether repeating has no further effect. If not, only requests that were certainly not carried out are repeated. */
  readonly idempotent: boolean;
  /** The reasons after which it is repeated; all by default. */
  readonly reasons?: readonly RetryReason[] | undefined;
  /** The maximum number of attempts; unlimited by default. */
  readonly limit?: number | undefined;
  /** The longest time to wait in all; unlimited by default. */
  readonly maxWaitMs?: number | undefined;
  readonly backoff?: BackoffOptions | undefined;
  /** Called before each wait. */
  readonly onWait?: ((failure: RetryFailure, ms: number) => void) | undefined;
}

/** Repeats an attempt while it fails temporarily and repeating is safe. Throws the last failure, or the signal's reason. */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const {clock, random, signal, idempotent, limit = Number.POSITIVE_INFINITY} = options;
  let leftMs = options.maxWaitMs ?? Number.POSITIVE_INFINITY;
  const backoff = new Backoff(random, options.backoff);
  for (let attempts = 1; ; attempts++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isApiFailure(error) || error.kind !== 'retry') throw error;
      if (options.reasons?.includes(error.reason) === false) throw error;
      if (attempts >= limit || (!idempotent && error.carriedOut !== 'no')) throw error;
      const ms = waitAfter(error, backoff, random);
      leftMs -= ms;
      if (leftMs < 0) throw error;
      options.onWait?.(error, ms);
      await delay(ms, clock, signal);
    }
  }
}

/** The shortest wait, even if the server requests none. */
const minWaitMs = 200;

/** Returns the wait that the server requested, plus jitter so that clients do not all return at once. */
function waitAfter({reason, retryAfterMs}: RetryFailure, backoff: Backoff, random: () => number): number {
  const backoffMs = backoff.next();
  if (retryAfterMs === undefined) return backoffMs;
  const requestedMs = Math.max(minWaitMs, retryAfterMs) * (1 + random() / 10);
  return reason === 'rateLimit' ? requestedMs : Math.max(requestedMs, backoffMs);
}

/** Waits; rejects with the signal's reason when it aborts. */
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
