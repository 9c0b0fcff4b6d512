import {mentionsUser} from '#state/messages/event-conversations.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {messageFromWire} from '#state/model/message.ts';
import type {AccountState} from '#state/state.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import type {UnreadMessage} from './unreads.ts';

export interface KeyedUnreadMessage extends UnreadMessage {
  readonly key: ConversationKey;
}

/** Returns what the index of unread messages stores about a message, so that marking it unread can be shown at once. */
export function keyedUnreadMessage(state: AccountState, wire: FetchedMessage): KeyedUnreadMessage {
  const message = messageFromWire(wire, wire.flags, state.self.userId);
  const {id, flags, conversationKey: key} = message;
  const conversation = conversationOf(message);
  return {id, key, conversation, isMention: mentionsUser(state, flags, conversation)};
}
