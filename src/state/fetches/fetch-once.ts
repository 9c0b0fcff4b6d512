import {CancelledError} from '@tanstack/query-core';
import {isApiFailure} from '#api/failure.ts';
import {withRetries} from '#api/retry.ts';
import type {SessionContext} from '#state/session-context.ts';

/** Attempts at one question before its failure is shown. */
const attempts = 4;

export type FetchKey = readonly [kind: string, ...rest: (string | number)[]];

/**
 * Runs under its key: whoever asks the same while it is under way gets the same answer, and `cancel` ends it. The answer
 * itself is not kept, because only events change what is known.
 */
export async function fetchOnce<T>(
  {cache, signal: ended}: SessionContext,
  key: FetchKey,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const {answer} = await cache.client.fetchQuery({
    queryKey: ['fetch', ...key],
    queryFn: async ({signal}) => ({answer: await run(AbortSignal.any([signal, ended]))}),
    staleTime: 0,
    gcTime: 0,
  });
  return answer;
}

/** Everything under way whose key begins so. */
export function cancelFetches({cache}: SessionContext, ...key: FetchKey): void {
  void cache.client.cancelQueries({queryKey: ['fetch', ...key]}, {silent: true, revert: false});
}

export function isFetchCancelled(error: unknown): boolean {
  return error instanceof CancelledError;
}

/** For questions: an answer that is late, lost or garbled is asked for again, a few times. */
export async function fetchWithRetries<T>(
  {clock, random}: SessionContext,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T> {
  const attempt = () => withRetries(ask, {clock, random, signal, idempotent: true, limit: attempts});
  try {
    return await attempt();
  } catch (error) {
    if (isApiFailure(error) && error.kind === 'malformed') return attempt();
    throw error;
  }
}
