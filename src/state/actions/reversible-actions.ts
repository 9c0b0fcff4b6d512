import {type AlertWordsAction, alertWords} from './alert-words.ts';
import {type OldReadAction, type OldUnreadAction, oldRead} from './mark-older-read.ts';
import {type FlagsAction, flags} from './message-flags.ts';
import {type MutedUserAction, mutedUser} from './muted-users.ts';
import {type NavigationViewAction, navigationView} from './navigation-views.ts';
import {type FullNameAction, fullName, type ProfileFieldAction, profileField} from './own-profile.ts';
import {type ReactionAction, reaction} from './reactions.ts';
import type {Appearance, Reversal} from './reversal.ts';
import {type SettingAction, setting} from './settings.ts';
import {type SubscriptionAction, subscription} from './subscription-settings.ts';
import {type TopicPolicyAction, topicPolicy} from './topic-policy.ts';
import {type StatusAction, status} from './user-status.ts';

/** What one request does. */
export type PlainAction =
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

/** The last two are for what takes many requests (`deeds/old-reads.ts`). */
export type ReversibleAction = PlainAction | OldReadAction | OldUnreadAction;

/** What waits on disk: to take back is done at once, by what it consists of. */
export type WaitingAction = PlainAction | OldReadAction;

type ActionOf<K extends WaitingAction['kind']> = Extract<WaitingAction, {kind: K}>;

const reversals: {readonly [K in PlainAction['kind']]: Reversal<ActionOf<K>>} = {
  flags,
  reaction,
  topicPolicy,
  subscription,
  setting,
  status,
  mutedUser,
  alertWords,
  navigationView,
  fullName,
  profileField,
};

const appearances: {readonly [K in WaitingAction['kind']]: Appearance<ActionOf<K>>} = {...reversals, oldRead};

/** The table pairs each kind with the reversal for it, which a lookup by union cannot express. */
export function reversalOf<A extends PlainAction>(action: A): Reversal<A> {
  return reversals[action.kind] as unknown as Reversal<A>;
}

/** The same of this table. */
export function appearanceOf<A extends WaitingAction>(action: A): Appearance<A> {
  return appearances[action.kind] as unknown as Appearance<A>;
}

export const reversibleKinds = Object.keys(reversals);
