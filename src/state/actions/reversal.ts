import type {Api} from '#api/api.ts';
import type {AccountState} from '#state/state.ts';
import type {StateEvent} from '#state/state-event.ts';

/** How one kind of action shows on top of what the server says. */
export interface OptimisticHandler<A> {
  /** What of it would change something now: the same action, smaller perhaps. Undefined when nothing would. */
  effective(state: AccountState, action: A): A | undefined;
  /** The change as events, as if the server had carried it out already. */
  optimisticEvents(state: AccountState, action: A, now: number): readonly StateEvent[];
}

/**
 * How one kind of action shows, is asked for and is taken back.
 *
 * Actions are plain data. All of them may be repeated without harm, so they can wait on disk until the server has them;
 * where a server refuses a repetition, `request` takes it for the success it is.
 */
export interface ActionHandler<A> extends OptimisticHandler<A> {
  /** The action that restores exactly what this one is about to change. */
  inverse(state: AccountState, action: A): A;
  request(api: Api, action: A, signal: AbortSignal): Promise<unknown>;
}
