import type {Conversation} from '#state/model/conversation.ts';
import {type Availability, presenceStatus} from '#state/selectors/people/people.ts';
import type {AccountState} from '#state/state.ts';
import type {Frame} from '#ui/core/frame.ts';

/**
 * The presence symbol before the name of a direct conversation; `unknown` leaves its column blank, so that names align.
 */
export type DirectPresence = Availability | 'unknown';

/**
 * Returns the presence of the other user; of several, the most available one. Undefined where there is no
 * such column: for topics, and in organizations without presence.
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

/** Returns the sort rank: available users first. */
export function presenceRank(presence: DirectPresence): number {
  return ranks[presence];
}

/** Returns presence as of the current minute. */
export function shownPresences({account, screen}: Frame): AccountState['presences'] {
  return screen.presences ?? account.presences;
}

/** Returns a user's presence; undefined for bots, deactivated users, and in organizations without presence. */
export function personPresence(frame: Frame, userId: number): Availability | undefined {
  const {account, minute} = frame;
  const user = account.users.get(userId);
  if (user === undefined || user.isBot || !user.isActive || account.realm.presenceDisabled === true) {
    return undefined;
  }
  const {realm, users, server} = account;
  return presenceStatus({presences: shownPresences(frame), realm, users, server}, userId, minute).status;
}
