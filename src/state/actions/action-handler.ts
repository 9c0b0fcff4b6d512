import type {Api} from '#api/api.ts';
import type {StateEvent} from '#state/local-events.ts';
import type {AccountState} from '#state/state.ts';

/** The functions that show one kind of action on top of the server's state. */
export interface OptimisticHandler<A> {
  /** Returns the part of the action that would change something now; undefined when nothing would. */
  effective(state: AccountState, action: A): A | undefined;
  /** Returns the events that the server would send. */
  optimisticEvents(state: AccountState, action: A, now: number): readonly StateEvent[];
}

/**
 * The functions that show, request and undo one kind of action.
 *
 * Actions are plain data and idempotent, so they can be stored until the server has them; where a server
 * refuses a repetition, `request` treats that as success.
 */
export interface ActionHandler<A> extends OptimisticHandler<A> {
  /** Returns the action that restores exactly what this one is about to change. */
  inverse(state: AccountState, action: A): A;
  request(api: Api, action: A): Promise<unknown>;
}

export type ActionOf<A, K> = Extract<A, {kind: K}>;

/** The handlers of several kinds of actions. */
export type Handlers<A extends {readonly kind: string}> = {
  readonly [K in A['kind']]: ActionHandler<ActionOf<A, K>>;
};
