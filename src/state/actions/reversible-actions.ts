import type {ActionHandler, ActionOf, OptimisticHandler} from './action-handler.ts';
import {
  type MarkOlderReadAction,
  type MessageAction,
  markOlderReadHandler,
  messageHandlers,
  type UndoMarkOlderReadAction,
} from './message-flags.ts';
import {type OwnAction, ownHandlers} from './own-settings.ts';

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
