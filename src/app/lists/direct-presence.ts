import type {Frame} from '#app/frame.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {type Availability, presenceStatus} from '#state/selectors/presence.ts';

/** Whether the one person on the other side is there. Undefined for groups, bots, oneself, and where nobody may know. */
export function directPresence(frame: Frame, conversation: Conversation): Availability | undefined {
  if (conversation.kind !== 'direct' || conversation.userIds.length !== 1) return undefined;
  const [userId = 0] = conversation.userIds;
  return personPresence(frame, userId);
}

export function personPresence({account, minute}: Frame, userId: number): Availability | undefined {
  const user = account.users.get(userId);
  if (user === undefined || user.isBot || !user.isActive || account.realm.presenceDisabled === true) {
    return undefined;
  }
  return presenceStatus(account, userId, minute).status;
}
