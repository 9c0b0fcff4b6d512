import {type CliIo, print} from '#cli/io.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {channelName, conversationTitle, userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {printableJson} from '#std/printable.ts';
import {destinationText} from './destination-arguments.ts';
import {type MessageTextOptions, messageTextAndLinks} from './message-text.ts';

/** Returns a conversation for JSON output: its kind, its title, and the value that `--to` takes for it. */
export function conversationJson(
  state: AccountState,
  conversation: Conversation,
  knownNames: Readonly<Record<number, string>> = {},
) {
  const common = {
    to: destinationText(state, conversation),
    title: conversationTitle(state, conversation),
    kind: conversation.kind,
  };
  if (conversation.kind === 'direct') {
    const names = conversation.userIds.map((id) => userName(state, id, knownNames[id]));
    return {...common, userIds: conversation.userIds, names};
  }
  const {channelId, topic} = conversation;
  return {...common, channelId, channel: channelName(state, channelId), topic};
}

/** Returns a message for JSON output, in the format that the manual describes. */
export function messageJson(state: AccountState, message: Message, isUnread: boolean, options: MessageTextOptions) {
  return {
    id: message.id,
    timestamp: message.timestamp,
    time: new Date(message.timestamp * 1000).toISOString(),
    senderId: message.senderId,
    senderName: state.users.get(message.senderId)?.fullName ?? message.senderName,
    conversation: conversationJson(state, conversationOf(message), message.kind === 'direct' ? message.names : {}),
    content: message.content,
    ...messageTextAndLinks(state, message, options),
    isUnread,
    flags: message.flags,
    reactions: message.reactions,
    editedAt: message.editedAt ?? null,
  };
}

/** Prints one value on one line. */
export function printJsonLine(io: CliIo, value: unknown): void {
  print(io, printableJson(value));
}
