import {withSlices} from '#state/immutable-updates.ts';
import {withLatestMessages} from '#state/messages/latest-messages.ts';
import {confirmedMessage, conversationOf, withMessage, withServerConfirmed} from '#state/messages/loaded-messages.ts';
import {mentionsUser} from '#state/messages/mentions.ts';
import {withArrivedMessage} from '#state/messages/message-arrivals.ts';
import {withoutReadFlag} from '#state/messages/message-changes.ts';
import {withoutTypingUser} from '#state/messages/typing-users.ts';
import {type Message, messageFromWire} from '#state/model/message.ts';
import type {AccountState} from '#state/state.ts';
import {mapTimelines, withLiveMessage} from '#state/timelines/timeline-changes.ts';
import {addUnread} from '#state/unreads/unreads.ts';
import type {EventOf} from '#wire/events.ts';
import {isHidden} from './channel-access.ts';

export function applyMessage(state: AccountState, event: EventOf<'message'>): AccountState {
  const {id} = event.message;
  const message = messageFromWire(event.message, withoutReadFlag(event.flags), state.self.userId);
  // Events may follow the one that took the channel away.
  if (message.kind === 'channel' && isHidden(state, message.channelId)) return state;
  const isUnread = !event.flags.includes('read');
  const known = confirmedMessage(state.messages, id);
  // The event is a repetition. Views opened since then may still lack the message.
  if (known !== undefined && !state.arrivals.awaited.has(id)) return withTimelinesUpdated(state, known);
  const arrived = withSlices(state, {arrivals: withArrivedMessage(state.arrivals, id)});
  // The version from a response may be newer than the event.
  return withNewMessage(withUnread(arrived, message, isUnread), known ?? message);
}

function withUnread(state: AccountState, message: Message, isUnread: boolean): AccountState {
  if (!isUnread) return state;
  const {id, flags} = message;
  const conversation = conversationOf(message);
  const isMention = mentionsUser(state, flags, conversation);
  return withSlices(state, {unreads: addUnread(state.unreads, {id, conversation, isMention})});
}

/** Adds a new message to every slice except the unreads. */
export function withNewMessage(state: AccountState, message: Message): AccountState {
  const {id, senderId, conversationKey: key} = message;
  return withTimelinesUpdated(
    withSlices(state, {
      messages: withMessage(withServerConfirmed(state.messages, [id]), message),
      starred: message.flags.includes('starred') ? state.starred.with(id) : state.starred,
      ...withLatestMessages(state, [message]),
      maxMessageId: Math.max(state.maxMessageId, id),
      typing: withoutTypingUser(state.typing, key, senderId),
    }),
    message,
  );
}

function withTimelinesUpdated(state: AccountState, message: Message): AccountState {
  return withSlices(state, {
    timelines: mapTimelines(state, (timeline) => withLiveMessage(state, timeline, message)),
  });
}
