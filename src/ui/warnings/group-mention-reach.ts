import type {Conversation} from '#state/model/conversation.ts';
import {groupMemberIds} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';

/**
 * Returns how many people a mention of a group notifies: its members and those of the groups in it, who can read the
 * conversation as far as that is known here.
 */
export function groupMentionReach(
  state: AccountState,
  conversation: Conversation | undefined,
  groupId: number,
  nowMs: number,
): number {
  const members = groupMemberIds(state, groupId, nowMs).filter((id) => id !== state.self.userId);
  if (conversation?.kind === 'direct') return members.filter((id) => conversation.userIds.includes(id)).length;
  const channelId = conversation?.channelId ?? 0;
  const subscribers = state.subscribers.get(channelId);
  const isLimited = state.channels.get(channelId)?.isPrivate === true && subscribers?.complete === true;
  return isLimited ? members.filter((id) => subscribers.ids.has(id)).length : members.length;
}
