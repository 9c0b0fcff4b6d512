import type {ConversationKey} from '#state/model/conversation.ts';
import type {TypingState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';

type TypingUsers<K extends number | string> = SortedMap<K, SortedMap<number, number>>;

/** `until`: when to stop believing it, in milliseconds; undefined when they stopped. */
export function withTypingUser<K extends number | string>(
  typists: TypingUsers<K>,
  key: K,
  userId: number,
  until: number | undefined,
): TypingUsers<K> {
  const before = typists.get(key) ?? SortedMap.empty<number, number>();
  if (before.get(userId) === until) return typists;
  const after = until === undefined ? before.without(userId) : before.with(userId, until);
  return after.size === 0 ? typists.without(key) : typists.with(key, after);
}

export function withConversations(
  typing: TypingState,
  conversations: TypingState['conversations'],
): TypingState {
  return conversations === typing.conversations ? typing : {...typing, conversations};
}

export function withEdits(typing: TypingState, edits: TypingState['edits']): TypingState {
  return edits === typing.edits ? typing : {...typing, edits};
}

/** They sent what they were typing. */
export function withoutTypingUser(typing: TypingState, key: ConversationKey, userId: number): TypingState {
  return withConversations(typing, withTypingUser(typing.conversations, key, userId, undefined));
}

/** Goes through everybody who types, of whom there are few. */
export function withoutExpired(typing: TypingState, now: number): TypingState {
  return withEdits(
    withConversations(typing, unexpired(typing.conversations, now)),
    unexpired(typing.edits, now),
  );
}

function unexpired<K extends number | string>(typists: TypingUsers<K>, now: number): TypingUsers<K> {
  let left = typists;
  for (const [key, people] of typists) {
    for (const [userId, until] of people) {
      if (until <= now) left = withTypingUser(left, key, userId, undefined);
    }
  }
  return left;
}
