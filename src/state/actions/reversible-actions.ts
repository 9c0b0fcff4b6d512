import type {ActionHandler, OptimisticHandler} from './action-handler.ts';
import {
  type FlagsAction,
  flagsHandler,
  type MarkOlderReadAction,
  type MutedUserAction,
  markOlderReadHandler,
  mutedUserHandler,
  type ReactionAction,
  reactionHandler,
  type UndoMarkOlderReadAction,
} from './message-flags.ts';
import {
  type AlertWordsAction,
  alertWordsHandler,
  type FullNameAction,
  fullNameHandler,
  type NavigationViewAction,
  navigationViewHandler,
  type ProfileFieldAction,
  profileFieldHandler,
  type SettingAction,
  type StatusAction,
  type SubscriptionAction,
  settingHandler,
  statusHandler,
  subscriptionHandler,
  type TopicPolicyAction,
  topicPolicyHandler,
} from './own-settings.ts';

/** An action that one request carries out. */
export type SingleRequestAction =
  | FlagsAction
  | ReactionAction
  | TopicPolicyAction
  | SubscriptionAction
  | SettingAction
  | StatusAction
  | MutedUserAction
  | AlertWordsAction
  | NavigationViewAction
  | FullNameAction
  | ProfileFieldAction;

/** The last two need many requests, see `pending-changes/older-read-marker.ts`. */
export type ReversibleAction = SingleRequestAction | MarkOlderReadAction | UndoMarkOlderReadAction;

/**
 * An action that is stored until it is sent. An undo of marking older messages is not stored: it is carried
 * out at once through the flag actions it consists of.
 */
export type PendingAction = SingleRequestAction | MarkOlderReadAction;

type ActionOf<K extends PendingAction['kind']> = Extract<PendingAction, {kind: K}>;

const actionHandlers: {readonly [K in SingleRequestAction['kind']]: ActionHandler<ActionOf<K>>} = {
  flags: flagsHandler,
  reaction: reactionHandler,
  topicPolicy: topicPolicyHandler,
  subscription: subscriptionHandler,
  setting: settingHandler,
  status: statusHandler,
  mutedUser: mutedUserHandler,
  alertWords: alertWordsHandler,
  navigationView: navigationViewHandler,
  fullName: fullNameHandler,
  profileField: profileFieldHandler,
};

const optimisticHandlers: {readonly [K in PendingAction['kind']]: OptimisticHandler<ActionOf<K>>} = {
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
