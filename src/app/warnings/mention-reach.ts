import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {wildcardMentionCount} from '#state/selectors/permissions/sending-permissions.ts';
import type {AccountState} from '#state/state.ts';

export interface MentionReach {
  readonly count: number;
  /** There may be more that we do not know of. */
  readonly isLeast: boolean;
}

/** How many people a wildcard mention would notify; undefined when nothing is known. */
export function mentionReach(
  state: AccountState,
  conversation: Conversation,
  scope: 'channel' | 'topic',
): MentionReach | undefined {
  const known = wildcardMentionCount(state, conversation, scope);
  if (known !== undefined) return {count: known, isLeast: false};
  return scope === 'topic' ? {count: participants(state, conversation), isLeast: true} : undefined;
}

/** Who wrote or reacted there, as far as is loaded. */
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
