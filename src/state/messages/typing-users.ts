import type {ConversationKey} from '#state/model/conversation.ts';
import type {Typing} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';

type Typists<K extends number | string> = SortedMap<K, SortedMap<number, number>>;

/** `until`: when to stop believing it, in milliseconds; undefined when they stopped. */
export function withTypist<K extends number | string>(
  typists: Typists<K>,
  key: K,
  userId: number,
  until: number | undefined,
): Typists<K> {
  const before = typists.get(key) ?? SortedMap.empty<number, number>();
  if (before.get(userId) === until) return typists;
  const after = until === undefined ? before.without(userId) : before.with(userId, until);
  return after.size === 0 ? typists.without(key) : typists.with(key, after);
}

export function withConversations(typing: Typing, conversations: Typing['conversations']): Typing {
  return conversations === typing.conversations ? typing : {...typing, conversations};
}

export function withEdits(typing: Typing, edits: Typing['edits']): Typing {
  return edits === typing.edits ? typing : {...typing, edits};
}

/** They sent what they were typing. */
export function withoutTypist(typing: Typing, key: ConversationKey, userId: number): Typing {
  return withConversations(typing, withTypist(typing.conversations, key, userId, undefined));
}

/** Goes through everybody who types, of whom there are few. */
export function withoutExpired(typing: Typing, now: number): Typing {
  return withEdits(
    withConversations(typing, unexpired(typing.conversations, now)),
    unexpired(typing.edits, now),
  );
}

function unexpired<K extends number | string>(typists: Typists<K>, now: number): Typists<K> {
  let left = typists;
  for (const [key, people] of typists) {
    for (const [userId, until] of people) {
      if (until <= now) left = withTypist(left, key, userId, undefined);
    }
  }
  return left;
}
