import {withSlices} from '#state/immutable-updates.ts';
import type {LocalEventOf} from '#state/local-events.ts';
import {withConversations, withEdits, withTypingUser} from '#state/messages/typing-users.ts';
import {type ConversationKey, directConversation, directKey, topicConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
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
