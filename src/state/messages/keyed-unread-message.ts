import type {KeyedUnreadMessage} from '#state/actions/message-flags.ts';
import {messageFromWire} from '#state/model/message.ts';
import type {AccountState} from '#state/state.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import {conversationOf} from './loaded-messages.ts';
import {mentionsUser} from './mentions.ts';

/** Returns what the index of unread messages stores about a message, so that marking it unread can be shown at once. */
export function keyedUnreadMessage(state: AccountState, wire: FetchedMessage): KeyedUnreadMessage {
  const message = messageFromWire(wire, wire.flags, state.self.userId);
  const {id, flags, conversationKey: key} = message;
  const conversation = conversationOf(message);
  return {id, key, conversation, isMention: mentionsUser(state, flags, conversation)};
}
