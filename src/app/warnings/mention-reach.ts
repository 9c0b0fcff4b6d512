import {type Conversation, conversationKey} from '#state/model/conversation.ts';
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
