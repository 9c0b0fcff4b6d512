import {withSlices} from '#state/immutable-updates.ts';
import type {LocalEventOf} from '#state/local-events.ts';
import {type ConversationKey, directConversation, directKey, topicConversationKey} from '#state/model/conversation.ts';
import type {AccountState, TypingState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {EventOf} from '#wire/events.ts';
import {realmDefaults} from '#wire/objects/realm.ts';

/** Applies a typing event. An indicator that is not renewed expires after a while. */
export function applyTypingReceived(state: AccountState, {event, now}: LocalEventOf<'typing_received'>): AccountState {
  const expiresAt = event.op === 'start' ? now + expiryMs(state) : undefined;
  return event.type === 'typing' ? withTypingIn(state, event, expiresAt) : withEditing(state, event, expiresAt);
}

function expiryMs({server}: AccountState): number {
  return (
    server.serverTypingStartedExpiryPeriodMilliseconds ?? realmDefaults.server_typing_started_expiry_period_milliseconds
  );
}

/** Without the time of receipt (see `withReceiptTime`) a start is removed at the next expiry check. */
export function applyTyping(state: AccountState, event: EventOf<'typing'>): AccountState {
  return applyTypingReceived(state, {type: 'typing_received', event, now: 0});
}

export function applyTypingEditMessage(state: AccountState, event: EventOf<'typing_edit_message'>): AccountState {
  return applyTypingReceived(state, {type: 'typing_received', event, now: 0});
}

function withTypingIn(state: AccountState, event: EventOf<'typing'>, expiresAt: number | undefined): AccountState {
  const {typing} = state;
  const userId = event.sender.user_id;
  const key = conversationKeyOf(state, event);
  if (key === undefined || userId === state.self.userId) return state;
  const conversations = withTypingUser(typing.conversations, key, userId, expiresAt);
  return withSlices(state, {typing: withConversations(typing, conversations)});
}

function conversationKeyOf(state: AccountState, event: EventOf<'typing'>): ConversationKey | undefined {
  if (event.recipients !== undefined) {
    const people = event.recipients.map((person) => person.user_id);
    return directKey(directConversation(people, state.self.userId).userIds);
  }
  const {stream_id: channelId, topic} = event;
  return channelId === undefined || topic === undefined ? undefined : topicConversationKey(channelId, topic);
}

function withEditing(
  state: AccountState,
  event: EventOf<'typing_edit_message'>,
  expiresAt: number | undefined,
): AccountState {
  const {typing} = state;
  if (event.sender_id === state.self.userId) return state;
  const edits = withTypingUser(typing.edits, event.message_id, event.sender_id, expiresAt);
  return withSlices(state, {typing: withEdits(typing, edits)});
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

function withConversations(typing: TypingState, conversations: TypingState['conversations']): TypingState {
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
