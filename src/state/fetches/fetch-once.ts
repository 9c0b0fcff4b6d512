import {CancelledError} from '@tanstack/query-core';
import {isApiFailure} from '#api/failure.ts';
import {withRetries} from '#api/retry.ts';
import type {SessionContext} from '#state/session-context.ts';
import {type FetchKey, fetchPrefix} from './fetch-state.ts';

/** Attempts before a failure is shown. */
const maxAttempts = 4;

/**
 * Runs a fetch as a query under its key: concurrent calls with the same key share one request, and `cancelFetches`
 * cancels it. `fetch-state.ts` reads from the query whether it runs or failed. The result is not kept, because only events
 * change the state.
 */
export async function fetchOnce<T>(
  {cache, signal: sessionSignal}: SessionContext,
  key: FetchKey,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const {result} = await cache.client.fetchQuery({
    queryKey: [fetchPrefix, ...key],
    queryFn: async ({signal}) => ({result: await run(AbortSignal.any([signal, sessionSignal]))}),
    staleTime: 0,
  });
  return result;
}

/** Cancels all running fetches whose key starts with these parts. */
export function cancelFetches({cache}: SessionContext, ...key: FetchKey): void {
  const queryKey = [fetchPrefix, ...key];
  void cache.client.cancelQueries({queryKey}, {silent: true, revert: false});
  // A query that was cancelled silently counts as fetching for ever, and would keep what its request refers to.
  cache.client.removeQueries({queryKey});
}

export function isFetchCancelled(error: unknown): boolean {
  return error instanceof CancelledError;
}

/** Runs a read-only request with a few retries when the response is late, lost or malformed, but not too large. */
export async function fetchWithRetries<T>(
  {clock, random}: SessionContext,
  signal: AbortSignal,
  send: () => Promise<T>,
): Promise<T> {
  const attempt = () => withRetries(send, {clock, random, signal, idempotent: true, limit: maxAttempts});
  try {
    return await attempt();
  } catch (error) {
    if (isApiFailure(error) && error.kind === 'malformed' && !error.isTooLarge) return attempt();
    throw error;
  }
}
