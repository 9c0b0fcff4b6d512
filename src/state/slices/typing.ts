import {type ConversationKey, directConversation, directKey, topicConversationKey} from '#state/model/conversation.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {EventOf} from '#wire/events.ts';
import {realmDefaults} from '#wire/objects/realm.ts';
import type {ApplierContext, LocalSliceEventOf, Slice} from './slice.ts';

/** The typing indicators: user id → expiry in milliseconds since the epoch. */
interface TypingState {
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
function withoutExpired(typing: TypingState, now: number): TypingState {
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

/** Applies a typing event. An indicator that is not renewed expires after a while. */
function withTypingEvent(
  typing: TypingState,
  {event, now}: Omit<LocalSliceEventOf<'typing_received'>, 'type'>,
  {self, server}: ApplierContext,
): TypingState {
  const expiryMs =
    server.serverTypingStartedExpiryPeriodMilliseconds ??
    realmDefaults.server_typing_started_expiry_period_milliseconds;
  const expiresAt = event.op === 'start' ? now + expiryMs : undefined;
  if (event.type === 'typing_edit_message') {
    const {sender_id: userId, message_id} = event;
    return userId === self.userId
      ? typing
      : withEdits(typing, withTypingUser(typing.edits, message_id, userId, expiresAt));
  }
  const userId = event.sender.user_id;
  const key = conversationKeyOf(event, self.userId);
  if (key === undefined || userId === self.userId) return typing;
  return withConversations(typing, withTypingUser(typing.conversations, key, userId, expiresAt));
}

function conversationKeyOf(event: EventOf<'typing'>, selfId: number): ConversationKey | undefined {
  if (event.recipients !== undefined) {
    const people = event.recipients.map((person) => person.user_id);
    return directKey(directConversation(people, selfId).userIds);
  }
  const {stream_id: channelId, topic} = event;
  return channelId === undefined || topic === undefined ? undefined : topicConversationKey(channelId, topic);
}

type TypingEventType = 'typing' | 'typing_edit_message' | 'typing_received' | 'typing_expired';

export const typing: Slice<TypingState, TypingEventType> = {
  initial: {conversations: SortedMap.empty(), edits: SortedMap.empty()},
  registered: 'initial',
  saved: 'no',
  appliers: {
    // Without the time of receipt (see `withReceiptTime`) a start is removed at the next expiry check.
    typing: (before, event, context) => withTypingEvent(before, {event, now: 0}, context),
    typing_edit_message: (before, event, context) => withTypingEvent(before, {event, now: 0}, context),
    typing_received: withTypingEvent,
    typing_expired: (before, {now}) => withoutExpired(before, now),
  },
};
