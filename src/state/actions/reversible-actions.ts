import type {Api} from '#api/api.ts';
import type {StateEvent} from '#state/local-events.ts';
import type {AccountState} from '#state/state.ts';
import {
  type MarkOlderReadAction,
  type MessageAction,
  markOlderReadHandler,
  messageHandlers,
  type UndoMarkOlderReadAction,
} from './message-flags.ts';
import {type OwnAction, ownHandlers} from './own-settings.ts';

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
interface ActionHandler<A> extends OptimisticHandler<A> {
  /** Returns the action that restores exactly what this one is about to change. */
  inverse(state: AccountState, action: A): A;
  request(api: Api, action: A): Promise<unknown>;
}

type ActionOf<A, K> = Extract<A, {kind: K}>;

/** The handlers of several kinds of actions. */
export type Handlers<A extends {readonly kind: string}> = {
  readonly [K in A['kind']]: ActionHandler<ActionOf<A, K>>;
};

/** An action that one request carries out. */
export type SingleRequestAction = MessageAction | OwnAction;

/** The last two need many requests, see `pending-changes/older-read-marker.ts`. */
export type ReversibleAction = SingleRequestAction | MarkOlderReadAction | UndoMarkOlderReadAction;

/**
 * An action that is stored until it is sent. An undo of marking older messages is not stored: it is carried
 * out at once through the flag actions it consists of.
 */
export type PendingAction = SingleRequestAction | MarkOlderReadAction;

const actionHandlers = {...messageHandlers, ...ownHandlers};

const optimisticHandlers: {readonly [K in PendingAction['kind']]: OptimisticHandler<ActionOf<PendingAction, K>>} = {
  ...actionHandlers,
  oldRead: markOlderReadHandler,
};

/** The table pairs each kind with its handler, which a lookup by union type cannot express. */
export function actionHandlerOf<A extends SingleRequestAction>(action: A): ActionHandler<A> {
  return actionHandlers[action.kind] as unknown as ActionHandler<A>;
}

/** Looks up a handler as `actionHandlerOf` does. */
export function optimisticHandlerOf<A extends PendingAction>(action: A): OptimisticHandler<A> {
  return optimisticHandlers[action.kind] as unknown as OptimisticHandler<A>;
}

export const reversibleKinds = Object.keys(actionHandlers);
