import {type Query, QueryObserver} from '@tanstack/query-core';
import type {SessionContext} from '#state/session-context.ts';
import type {ServerEvent} from '#wire/events.ts';
import {fetchWithRetries} from './fetch-page.ts';
import {type FetchKey, fetchId, queryPrefix} from './fetch-state.ts';

/** Something that is fetched while a screen reads it, and kept for the next time. */
export interface FetchRequest<T = unknown> {
  readonly key: FetchKey;
  fetch(context: SessionContext, signal: AbortSignal): Promise<T>;
  /** Whether the result stays true: it is fetched once, and again only after a failure. */
  readonly isConstant?: true | undefined;
  /** Whether it is a page of messages: `fetch` repeats its request itself, and it ends with its last reader, because searches are costly. */
  readonly isPage?: true | undefined;
  /** Returns after how long it is fetched again while it is read; undefined: not by itself. */
  refetchMs?(data: T): number | undefined;
  /** Whether the event makes the result outdated; it is fetched again if it is read. */
  readonly isOutdatedBy?: ((event: ServerEvent) => boolean) | undefined;
}

/** The number of results that are kept while nobody reads them. */
const maxKept = 24;

interface Reading {
  readonly request: FetchRequest;
  readonly stop: () => void;
}

/**
 * What screens read that no event keeps current, as queries of the cache. Each is fetched when the first reader comes, kept when
 * the last one leaves, and fetched again for the next reader, who sees the former result meanwhile. A fetch whose reader leaves
 * runs to its end, so that the next one need not ask again, unless it is a page of messages.
 */
export class KeptQueries {
  readonly #context: SessionContext;
  readonly #readings = new Set<Reading>();

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** Fetches the request, unless that already runs, and keeps it current until the returned function is called. */
  observe<T>(request: FetchRequest<T>): () => void {
    const {cache, clock, signal} = this.#context;
    const {refetchMs, isConstant, isPage} = request;
    const observer = new QueryObserver<T>(cache.client, {
      queryKey: queryKey(request),
      queryFn: (query) =>
        isPage === true
          ? request.fetch(this.#context, AbortSignal.any([signal, query.signal]))
          : fetchWithRetries(this.#context, signal, () => request.fetch(this.#context, signal)),
      staleTime: isConstant === true ? Number.POSITIVE_INFINITY : 0,
    });
    let cancelTimer = () => {};
    const unsubscribe = observer.subscribe(({data, fetchStatus}) => {
      cancelTimer();
      const ms = data === undefined || fetchStatus !== 'idle' ? undefined : refetchMs?.(data);
      if (ms !== undefined) cancelTimer = clock.after(ms, () => this.fetchAgain([request]));
    });
    const stop = () => {
      cancelTimer();
      unsubscribe();
    };
    const reading = {request, stop};
    this.#readings.add(reading);
    return () => {
      if (!this.#readings.delete(reading)) return;
      stop();
      this.#forgetOldest();
    };
  }

  /** Fetches the requests again that are read now. A constant one is fetched again only if there is no result. */
  fetchAgain(requests: readonly FetchRequest[]): void {
    for (const request of requests) {
      const query = this.#find(request);
      if (query?.isActive() !== true || (request.isConstant === true && query.state.data !== undefined)) continue;
      // A response that is on its way may be older than what makes it outdated.
      void query.cancel({silent: true});
      query.fetch().catch(() => {});
    }
  }

  /** Resolves when none of the requests is being fetched. */
  async settled(requests: readonly FetchRequest[]): Promise<void> {
    await Promise.allSettled(requests.map((request) => this.#find(request)?.promise));
  }

  onEvents(events: readonly ServerEvent[]): void {
    const isOutdated = ({isOutdatedBy}: FetchRequest) => isOutdatedBy !== undefined && events.some(isOutdatedBy);
    this.fetchAgain(this.#requests().filter(isOutdated));
  }

  /** Fetches again what events make outdated: those before a new registration did not arrive. */
  onRegistered(isFirst: boolean): void {
    if (!isFirst) this.fetchAgain(this.#requests().filter(({isOutdatedBy}) => isOutdatedBy !== undefined));
  }

  beforeStop(): void {
    for (const {stop} of this.#readings) stop();
    this.#readings.clear();
  }

  /** Returns what is read now, each once. */
  #requests(): readonly FetchRequest[] {
    const byId = new Map([...this.#readings].map(({request}) => [fetchId(request.key), request]));
    return [...byId.values()];
  }

  #find(request: FetchRequest): Query | undefined {
    return this.#context.cache.client.getQueryCache().find({queryKey: queryKey(request)});
  }

  #forgetOldest(): void {
    const queries = this.#context.cache.client.getQueryCache();
    const isUnread = (query: Query) => query.getObserversCount() === 0 && query.state.fetchStatus === 'idle';
    const unread = queries.findAll({queryKey: [queryPrefix], predicate: isUnread});
    const byAge = unread.toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
    for (const query of byAge.slice(maxKept)) queries.remove(query);
  }
}

function queryKey({key}: FetchRequest): readonly unknown[] {
  return [queryPrefix, ...key];
}
