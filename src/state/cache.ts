import {
  environmentManager,
  notifyManager,
  type Query,
  QueryCache,
  QueryClient,
  QueryObserver,
} from '@tanstack/query-core';
import {forgetFailedFetches, forgetFetched} from '#state/fetches/fetch-state.ts';
import {sameArguments} from '#std/memo.ts';
import {applyEvent} from './apply-event.ts';
import type {StateEvent} from './local-events.ts';
import type {AccountState, SliceName} from './state.ts';

/**
 * A function that adds the pending changes to the state that the server reported. Returns the same object
 * when it adds nothing; never throws.
 */
type StateOverlay = (base: AccountState) => AccountState;

/** The types of events whose slices no overlay changes. */
const overlayIndependentTypes: ReadonlySet<StateEvent['type']> = new Set([
  'connection_changed',
  'outbox_changed',
  'local_drafts_changed',
  'typing_received',
  'typing_expired',
  'presences_fetched',
] as const);

// query-core assumes that Node is a server, where it neither retries nor sets timers.
environmentManager.setIsServer(() => false);

/** The query of the account state that screens and verbs read: what the server reported with the pending changes on top. */
const accountKey = ['account'] as const;
/** The query of the state that the server reported. Keeping it makes the removal of a pending change exact. */
const baseKey = ['account', 'base'] as const;

/**
 * The query cache of one account: the only store of its state. `apply` is the only writer: it computes the next state from
 * events and commits it. Readers use `state`, or select from it and are called when the selected value has changed.
 */
export class Cache {
  readonly client = new QueryClient({
    // Called after fetches only. A failed one is kept for its error.
    queryCache: new QueryCache({
      onSuccess: (_result, query) => forgetFetched(this.client, query),
      onError: (_error, query) => forgetFailedFetches(this.client, query),
    }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        structuralSharing: false,
        networkMode: 'always',
        retry: false,
      },
    },
  });
  readonly #account: AccountQuery;
  readonly #base: AccountQuery;
  #overlay: StateOverlay = (base) => base;
  /** Called with the base after each event, also between two events of one commit. */
  onBaseChange: (base: AccountState) => void = () => {};

  constructor(state: AccountState) {
    this.#account = this.#newQuery(accountKey, state);
    this.#base = this.#newQuery(baseKey, state);
  }

  get state(): AccountState {
    return dataOf(this.#account);
  }

  /** The state that the server reported, without the overlay. */
  get base(): AccountState {
    return dataOf(this.#base);
  }

  /**
   * Applies the events in order and commits once: observers see all of them or none. Rethrows what an applier throws.
   */
  apply(...events: readonly StateEvent[]): AccountState {
    const {base, state} = this;
    let next = base;
    for (const event of events) {
      next = applyEvent(next, event);
      this.onBaseChange(next);
    }
    if (next === base) return state;
    const skipsOverlay = state !== base && events.every(({type}) => overlayIndependentTypes.has(type));
    this.client.setQueryData(baseKey, next);
    return this.#commit(skipsOverlay ? events.reduce(applyEvent, state) : this.#withOverlay());
  }

  /** Replaces the overlay, which is applied on top of the base from now on. */
  setOverlay(overlay: StateOverlay): AccountState {
    this.#overlay = overlay;
    return this.#commit(this.#withOverlay());
  }

  /**
   * Applies one more pending change on top without recomputing the overlay. The overlay given to `setOverlay`
   * must include that change from now on.
   */
  applyOnTop(...events: readonly StateEvent[]): AccountState {
    return this.#commit(this.#withBaseLog(events.reduce(applyEvent, this.state)));
  }

  /** Calls the listener once after commits that changed one of these slices. */
  subscribe(slices: readonly SliceName[], listener: (state: AccountState) => void): () => void {
    const observer = new QueryObserver(this.client, {
      queryKey: accountKey,
      enabled: false,
      select: (state: AccountState) => slices.map((name) => state[name]),
      structuralSharing: reuseIfSameSlices,
      notifyOnChangeProps: ['data'],
    });
    let isScheduled = false;
    const notify = notifyManager.batchCalls(() => {
      isScheduled = false;
      if (observer.hasListeners()) listener(this.state);
    });
    return observer.subscribe(() => {
      if (!isScheduled) notify();
      isScheduled = true;
    });
  }

  #withOverlay(): AccountState {
    return this.#withBaseLog(this.#overlay(this.base));
  }

  /**
   * Restores the base's event log: responses in flight are updated with server events only, not with optimistic ones.
   */
  #withBaseLog(state: AccountState): AccountState {
    const {log} = this.base;
    return state.log === log ? state : {...state, log};
  }

  #commit(after: AccountState): AccountState {
    if (after !== this.state) this.client.setQueryData(accountKey, after);
    return after;
  }

  #newQuery(queryKey: typeof accountKey | typeof baseKey, state: AccountState): AccountQuery {
    this.client.setQueryData(queryKey, state);
    return this.client.getQueryCache().build(this.client, {queryKey});
  }
}

type AccountQuery = Query<AccountState, Error, AccountState, typeof accountKey | typeof baseKey>;

/** Returns the data of a query. Reading it by its key costs more, and the state is read thousands of times a second. */
function dataOf({state}: AccountQuery): AccountState {
  if (state.data === undefined) throw new Error('The account state was removed from the query cache');
  return state.data;
}

/** Returns the former slices if none was replaced. */
function reuseIfSameSlices(before: unknown, after: unknown): unknown {
  return Array.isArray(before) && Array.isArray(after) && sameArguments(before, after) ? before : after;
}
