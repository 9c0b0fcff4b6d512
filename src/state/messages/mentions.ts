import type {KeyedUnreadMessage} from '#state/actions/message-flags.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {type MessageFlag, messageFromWire} from '#state/model/message.ts';
import type {AccountState} from '#state/state.ts';
import {isTopicMuted} from '#state/unreads/muting.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import {conversationOf} from './loaded-messages.ts';

const wildcardFlags: ReadonlySet<MessageFlag> = new Set([
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
]);

export function isMentionFlag(flag: MessageFlag): boolean {
  return flag === 'mentioned' || wildcardFlags.has(flag);
}

/**
 * Returns whether the flags mention the user. Personal mentions always count; wildcard mentions only where
 * the topic is not muted.
 */
export function mentionsUser(
  state: Pick<AccountState, 'userTopics' | 'subscriptions'>,
  flags: readonly MessageFlag[],
  conversation: Conversation,
): boolean {
  if (flags.includes('mentioned')) return true;
  if (!flags.some((flag) => wildcardFlags.has(flag))) return false;
  return conversation.kind === 'direct' || !isTopicMuted(state, conversation.channelId, conversation.topic);
}

/** Returns what the index of unread messages stores about a message, so that marking it unread can be shown at once. */
export function keyedUnreadMessage(state: AccountState, wire: FetchedMessage): KeyedUnreadMessage {
  const message = messageFromWire(wire, wire.flags, state.self.userId);
  const {id, flags, conversationKey: key} = message;
  const conversation = conversationOf(message);
  return {id, key, conversation, isMention: mentionsUser(state, flags, conversation)};
}
