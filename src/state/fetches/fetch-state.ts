import type {Query, QueryClient} from '@tanstack/query-core';
import {errorText} from '#std/error-text.ts';
import {failureMessage, isApiFailure} from '#wire/failure.ts';

/** The key of a fetch in the query cache: what is fetched, and of which channel or message. */
export type FetchKey = readonly [kind: string, ...rest: (string | number)[]];

/** A fetch that runs, that failed and was not repeated since, or whose result is kept. */
export interface FetchState {
  readonly isFetching: boolean;
  /** Why it failed, as a sentence. */
  readonly error: string | undefined;
  /** The last result of a fetch whose results are kept. */
  readonly data?: unknown;
}

/** The fetches that are not idle, and those with a result, by `fetchId`. */
export type FetchStates = ReadonlyMap<string, FetchState>;

export const idleFetch: FetchState = {isFetching: false, error: undefined};
const runningFetch: FetchState = {isFetching: true, error: undefined};

export const noFetches: FetchStates = new Map();

/** The keys of fetches whose results enter the account state begin with it in the query cache. */
export const fetchPrefix = 'fetch';
/** The keys of fetches whose results are kept begin with it. */
export const queryPrefix = 'query';

/**
 * The kinds whose state screens show. The state of a timeline's fetches is in the account state, and other fetches fail without
 * an effect on the screen.
 */
const shownKinds: ReadonlySet<unknown> = new Set(['topics', 'subscribers']);

/** The number of failed fetches that are remembered: those of the lists that were shown last. */
const maxFailed = 16;

export function fetchId(key: FetchKey): string {
  return key.join(' ');
}

/** Calls the listener with the states of the fetches now, and after each change. */
export function watchFetches(client: QueryClient, listener: (states: FetchStates) => void): () => void {
  const queries = client.getQueryCache();
  const first = queries.findAll({predicate: isShown});
  let states: FetchStates = new Map(
    first.flatMap((query) => {
      const state = stateOf(query);
      return state === undefined ? [] : [[idOf(query), state]];
    }),
  );
  listener(states);
  return queries.subscribe(({type, query}) => {
    if (!isShown(query)) return;
    const id = idOf(query);
    const state = type === 'removed' ? undefined : stateOf(query);
    const before = states.get(id);
    const isSame = before?.isFetching === state?.isFetching && before?.error === state?.error;
    if (isSame && before?.data === state?.data) return;
    const next = new Map(states);
    if (state === undefined) next.delete(id);
    else next.set(id, state);
    states = next;
    listener(states);
  });
}

/** Removes a fetch from the query cache whose result is in the account state. */
export function forgetFetched(client: QueryClient, query: Query<unknown, unknown>): void {
  if (query.queryKey[0] !== queryPrefix) client.getQueryCache().remove(query);
}

/** Removes a failed fetch from the query cache, or else the oldest of too many. */
export function forgetFailedFetches(client: QueryClient, failed: Query<unknown, unknown>): void {
  if (failed.queryKey[0] === queryPrefix) return;
  const queries = client.getQueryCache();
  if (!isShown(failed)) {
    queries.remove(failed);
    return;
  }
  const kept = queries.findAll({queryKey: [fetchPrefix], predicate: ({state}) => state.status === 'error'});
  const byAge = kept.toSorted((a, b) => b.state.errorUpdatedAt - a.state.errorUpdatedAt);
  for (const query of byAge.slice(maxFailed)) queries.remove(query);
}

interface FetchQuery {
  readonly queryKey: readonly unknown[];
  readonly state: {readonly fetchStatus: string; readonly error: unknown; readonly data?: unknown};
}

function isShown({queryKey: [prefix, kind]}: FetchQuery): boolean {
  return prefix === queryPrefix || (prefix === fetchPrefix && shownKinds.has(kind));
}

function idOf({queryKey}: FetchQuery): string {
  return queryKey.slice(1).join(' ');
}

function stateOf({state: {fetchStatus, error, data}}: FetchQuery): FetchState | undefined {
  if (fetchStatus === 'fetching') return data === undefined ? runningFetch : {...runningFetch, data};
  if (error === null) return data === undefined ? undefined : {...idleFetch, data};
  return {isFetching: false, error: isApiFailure(error) ? failureMessage(error) : errorText(error), data};
}
