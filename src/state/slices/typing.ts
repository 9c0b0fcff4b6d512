import type {ConversationKey} from '#state/model/conversation.ts';
import {SortedMap} from '#std/sorted-map.ts';

/** The typing indicators: user id → expiry in milliseconds since the epoch. */
export interface TypingState {
  readonly conversations: SortedMap<ConversationKey, SortedMap<number, number>>;
  /** Users who edit one of their messages, by message id. */
  readonly edits: SortedMap<number, SortedMap<number, number>>;
}

type TypingUsers<K extends number | string> = SortedMap<K, SortedMap<number, number>>;

/** Sets when a typing indicator expires, in milliseconds; `until` undefined removes it. */
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

export function withConversations(typing: TypingState, conversations: TypingState['conversations']): TypingState {
  return conversations === typing.conversations ? typing : {...typing, conversations};
}

export function withEdits(typing: TypingState, edits: TypingState['edits']): TypingState {
  return edits === typing.edits ? typing : {...typing, edits};
}

/** Removes a user's indicator, because their message arrived. */
export function withoutTypingUser(typing: TypingState, key: ConversationKey, userId: number): TypingState {
  return withConversations(typing, withTypingUser(typing.conversations, key, userId, undefined));
}

/** Removes expired indicators. Visits every typing user, of whom there are few. */
export function withoutExpired(typing: TypingState, now: number): TypingState {
  return withEdits(withConversations(typing, unexpired(typing.conversations, now)), unexpired(typing.edits, now));
}

function unexpired<K extends number | string>(typists: TypingUsers<K>, now: number): TypingUsers<K> {
  let remaining = typists;
  for (const [key, users] of typists) {
    for (const [userId, until] of users) {
      if (until <= now) remaining = withTypingUser(remaining, key, userId, undefined);
    }
  }
  return remaining;
}
