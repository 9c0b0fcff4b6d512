import {environmentManager, notifyManager, QueryClient} from '@tanstack/query-core';
import {applyEvent} from './apply-event.ts';
import type {AccountState, SliceName} from './state.ts';
import type {StateEvent} from './state-event.ts';

/** What is shown on top of what the server said. Gives the same object back when it adds nothing; never throws. */
export type StateOverlay = (base: AccountState) => AccountState;

/** Events about slices that no overlay touches. */
const overlayIndependentTypes: ReadonlySet<StateEvent['type']> = new Set([
  'connection_changed',
  'outbox_changed',
  'local_drafts_changed',
  'typing_heard',
  'typing_expired',
  'presences_fetched',
] as const);

// query-core takes Node for a server, where it neither retries nor sets timers.
environmentManager.setIsServer(() => false);

/**
 * The one door: `apply` turns events into the next state and commits it. Nobody else writes.
 *
 * Each slice of the state is one query, so that observers hear of the slices they read and of no others. What was done
 * here and is not heard of from the server yet lies on top: `base` is the server's word alone, so taking something off
 * again is exact, whatever was heard meanwhile.
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

  /** Without what lies on top. */
  get base(): AccountState {
    return this.#base;
  }

  /** Applies in order and commits once: observers see all of it or nothing. Throws what an applier throws. */
  apply(...events: readonly StateEvent[]): AccountState {
    const base = events.reduce(applyEvent, this.#base);
    if (base === this.#base) return this.#state;
    const isBare = this.#state === this.#base;
    const isBeside = !isBare && events.every(({type}) => overlayIndependentTypes.has(type));
    this.#base = base;
    return this.#commit(isBeside ? events.reduce(applyEvent, this.#state) : this.#covered());
  }

  /** From now on this lies on top of everything that is applied. */
  setOverlay(overlay: StateOverlay): AccountState {
    this.#overlay = overlay;
    return this.#commit(this.#covered());
  }

  /** One thing more on top: what the overlay given to `cover` would add from now on, for the price of that alone. */
  applyOnTop(...events: readonly StateEvent[]): AccountState {
    return this.#commit(this.#withoutTrace(events.reduce(applyEvent, this.#state)));
  }

  #covered(): AccountState {
    return this.#withoutTrace(this.#overlay(this.#base));
  }

  /** Answers in the air are brought up to date with what the server said, and with nothing else. */
  #withoutTrace(state: AccountState): AccountState {
    return state.log === this.#base.log ? state : {...state, log: this.#base.log};
  }

  #commit(after: AccountState): AccountState {
    const before = this.#state;
    if (after === before) return before;
    this.#state = after;
    this.#publish(before, after);
    return after;
  }

  /** Called after every commit that changed one of these slices. */
  subscribe(slices: readonly SliceName[], listener: (state: AccountState) => void): () => void {
    const keys = new Set<unknown>(slices);
    let isDue = false;
    let isOver = false;
    const tell = notifyManager.batchCalls(() => {
      isDue = false;
      if (!isOver) listener(this.#state);
    });
    const leave = this.client.getQueryCache().subscribe((notice) => {
      if (notice.type !== 'updated' || notice.action.type !== 'success') return;
      const [kind, name] = notice.query.queryKey;
      if (kind !== 'slice' || !keys.has(name) || isDue) return;
      isDue = true;
      tell();
    });
    return () => {
      isOver = true;
      leave();
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
