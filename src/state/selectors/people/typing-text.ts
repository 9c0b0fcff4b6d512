import type {Conversation} from '#state/model/conversation.ts';
import {conversationKey} from '#state/model/conversation.ts';
import {compareNames} from '#state/selectors/names/compare-names.ts';
import {userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';

/** Returns the ids of users who are typing, without the user and muted users. */
export function typingUserIds(state: AccountState, conversation: Conversation): readonly number[] {
  const typing = state.typing.conversations.get(conversationKey(conversation));
  if (typing === undefined) return [];
  return [...typing.keys()].filter((id) => id !== state.self.userId && !state.mutedUsers.has(id));
}

/** Returns `Ann is typing…`, or an empty string. */
export function typingText(state: AccountState, conversation: Conversation): string {
  const names = typingUserIds(state, conversation).map((id) => userName(state, id));
  if (names.length > 2) return 'Several people are typing…';
  const [first, second] = names.sort(compareNames);
  if (first === undefined) return '';
  return second === undefined ? `${first} is typing…` : `${first} and ${second} are typing…`;
}
