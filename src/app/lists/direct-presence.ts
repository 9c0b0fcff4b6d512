import type {Frame} from '#app/core/frame.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {type Availability, presenceStatus} from '#state/selectors/people/presence-status.ts';
import type {AccountState} from '#state/state.ts';

/** What stands before the name of a direct conversation; `unknown` keeps its column free, so that names are in line. */
export type DirectPresence = Availability | 'unknown';

/**
 * Whether somebody on the other side is there: of several, whoever is there most. Undefined where there is no such column:
 * in channels, and where nobody may know.
 */
export function directPresence(frame: Frame, conversation: Conversation): DirectPresence | undefined {
  if (conversation.kind !== 'direct' || frame.account.realm.presenceDisabled === true) return undefined;
  let best: DirectPresence = 'unknown';
  for (const userId of conversation.userIds) {
    const presence = personPresence(frame, userId) ?? 'unknown';
    if (ranks[presence] < ranks[best]) best = presence;
  }
  return best;
}

const ranks: Readonly<Record<DirectPresence, number>> = {active: 0, idle: 1, offline: 2, unknown: 3};

/** Those who are there first. */
export function presenceRank(presence: DirectPresence): number {
  return ranks[presence];
}

/** Returns who was there when that was last looked at. */
export function shownPresences({account, screen}: Frame): AccountState['presences'] {
  return screen.presences ?? account.presences;
}

/** Undefined for bots, for whoever has left, and where nobody may know. */
export function personPresence(frame: Frame, userId: number): Availability | undefined {
  const {account, minute} = frame;
  const user = account.users.get(userId);
  if (user === undefined || user.isBot || !user.isActive || account.realm.presenceDisabled === true) {
    return undefined;
  }
  const {realm, users, server} = account;
  return presenceStatus({presences: shownPresences(frame), realm, users, server}, userId, minute).status;
}
