import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {groupMemberIds} from '#state/selectors/permissions/group-members.ts';
import {wildcardMentionCount} from '#state/selectors/permissions/sending-permissions.ts';
import type {AccountState} from '#state/state.ts';

export interface MentionReach {
  readonly count: number;
  /** Whether there may be more that this client does not know of. */
  readonly isLeast: boolean;
}

/** Returns how many people a wildcard mention notifies; undefined when unknown. */
export function mentionReach(
  state: AccountState,
  conversation: Conversation,
  scope: 'channel' | 'topic',
): MentionReach | undefined {
  const count = wildcardMentionCount(state, conversation, scope);
  if (count !== undefined) return {count, isLeast: false};
  return scope === 'topic' ? {count: participants(state, conversation), isLeast: true} : undefined;
}

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

/** The number of people who wrote or reacted there, in the loaded messages. */
function participants({messages}: AccountState, conversation: Conversation): number {
  const people = new Set<number>();
  for (const id of messages.byConversation.get(conversationKey(conversation)) ?? []) {
    const message = messages.byId.get(id);
    if (message === undefined) continue;
    people.add(message.senderId);
    for (const {userId} of message.reactions) people.add(userId);
  }
  return people.size;
}
