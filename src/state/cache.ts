import {environmentManager, notifyManager, QueryClient} from '@tanstack/query-core';
import {applyEvent} from './apply-event.ts';
import type {AccountState, SliceName} from './state.ts';
import type {StateEvent} from './state-event.ts';

/**
 * A function that adds the pending changes to the state that the server reported. Returns the same object
 * when it adds nothing; never throws.
 */
export type StateOverlay = (base: AccountState) => AccountState;

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

/**
 * The only writer of the account state: `apply` computes the next state from events and commits it.
 *
 * Each slice of the state is one query, so that observers are notified only about the slices they read.
 * `base` is what the server reported; `state` is the base with the overlay of pending changes on top. Keeping
 * both makes removing a pending change exact, whatever events arrived in between.
 */
export class Cache {
  readonly client = new QueryClient({
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
  #base: AccountState;
  #state: AccountState;
  #overlay: StateOverlay = (base) => base;

  constructor(state: AccountState) {
    this.#base = state;
    this.#state = state;
    this.#publish(undefined, state);
  }

  get state(): AccountState {
    return this.#state;
  }

  /** The state that the server reported, without the overlay. */
  get base(): AccountState {
    return this.#base;
  }

  /**
   * Applies the events in order and commits once: observers see all of them or none. Rethrows what an applier throws.
   */
  apply(...events: readonly StateEvent[]): AccountState {
    const base = events.reduce(applyEvent, this.#base);
    if (base === this.#base) return this.#state;
    const hasNoOverlay = this.#state === this.#base;
    const skipsOverlay = !hasNoOverlay && events.every(({type}) => overlayIndependentTypes.has(type));
    this.#base = base;
    return this.#commit(skipsOverlay ? events.reduce(applyEvent, this.#state) : this.#withOverlay());
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
    return this.#commit(this.#withBaseLog(events.reduce(applyEvent, this.#state)));
  }

  #withOverlay(): AccountState {
    return this.#withBaseLog(this.#overlay(this.#base));
  }

  /**
   * Restores the base's event log: responses in flight are updated with server events only, not with optimistic ones.
   */
  #withBaseLog(state: AccountState): AccountState {
    return state.log === this.#base.log ? state : {...state, log: this.#base.log};
  }

  #commit(after: AccountState): AccountState {
    const before = this.#state;
    if (after === before) return before;
    this.#state = after;
    this.#publish(before, after);
    return after;
  }

  /** Calls the listener after every commit that changed one of these slices. */
  subscribe(slices: readonly SliceName[], listener: (state: AccountState) => void): () => void {
    const keys = new Set<unknown>(slices);
    let isScheduled = false;
    let isUnsubscribed = false;
    const notify = notifyManager.batchCalls(() => {
      isScheduled = false;
      if (!isUnsubscribed) listener(this.#state);
    });
    const unsubscribe = this.client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return;
      const [kind, name] = event.query.queryKey;
      if (kind !== 'slice' || !keys.has(name) || isScheduled) return;
      isScheduled = true;
      notify();
    });
    return () => {
      isUnsubscribed = true;
      unsubscribe();
    };
  }

  #publish(before: AccountState | undefined, after: AccountState): void {
    notifyManager.batch(() => {
      for (const name of Object.keys(after) as SliceName[]) {
        if (before?.[name] !== after[name]) this.client.setQueryData(sliceKey(name), after[name]);
      }
    });
  }
}

export function sliceKey(name: SliceName): readonly ['slice', SliceName] {
  return ['slice', name];
}
