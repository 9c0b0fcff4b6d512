import {topicConversationKey} from '#state/model/conversation.ts';
import type {ChannelMessage, Message, MessageFlag, Reaction} from '#state/model/message.ts';
import type {ReactionEvent} from '#wire/events/reaction.ts';
import type {SubmessageEvent} from '#wire/events/submessage.ts';
import {isMove, isRenderingOnly, type UpdateMessageEvent} from '#wire/events/update-message.ts';
import type {AddFlagsEvent, RemoveFlagsEvent} from '#wire/events/update-message-flags.ts';
import {sameReactionType} from '#wire/objects/reaction.ts';
import {isResolution} from '#wire/objects/topic.ts';

/*
 * What events do to one message. The same functions serve messages that are loaded and those of an answer that was in
 * the air meanwhile. All give the same object back when nothing changes.
 */

const none: readonly never[] = [];

/** What is unread says the index of unread messages alone. */
export function withoutReadFlag(flags: readonly MessageFlag[]): readonly MessageFlag[] {
  const kept = flags.includes('read') ? flags.filter((flag) => flag !== 'read') : flags;
  return kept.length === 0 ? none : kept;
}

/** For one of the messages that the event names. */
export function updatedMessage(message: Message, event: UpdateMessageEvent): Message {
  const moved = message.kind === 'channel' && isMove(event) ? movedMessage(message, event) : message;
  return message.id === event.message_id ? reflagged(reworded(moved, event), event) : moved;
}

/** Answers may be ahead of the events; an edit older than what is known is already in it. */
function reworded(message: Message, event: UpdateMessageEvent): Message {
  const {content, edit_timestamp: editedAt, is_me_message: isMe = message.isMe} = event;
  if (content === undefined) return message;
  if (message.editedAt !== undefined && editedAt !== undefined && editedAt < message.editedAt) return message;
  const stamp = isRenderingOnly(event) ? message.editedAt : (editedAt ?? message.editedAt);
  if (content === message.content && isMe === message.isMe && stamp === message.editedAt) return message;
  return {...message, content, isMe, editedAt: stamp};
}

/** Stars have events of their own and come with no other: here they may be older than what is known. */
function reflagged(message: Message, event: UpdateMessageEvent): Message {
  const told = event.flags.filter((flag) => flag !== 'read' && flag !== 'starred');
  const flags = message.flags.includes('starred') ? [...told, 'starred'] : told;
  if (flags.length === message.flags.length && flags.every((flag) => message.flags.includes(flag))) {
    return message;
  }
  return {...message, flags: flags.length === 0 ? none : flags};
}

/**
 * Where a move took a message. A move to another channel leaves each message its own spelling of the topic; one that was
 * spelled as the new topic already was moved all the same.
 */
function movedMessage(message: ChannelMessage, event: UpdateMessageEvent): ChannelMessage {
  const channelId = event.new_stream_id ?? event.stream_id ?? message.channelId;
  const topic = event.subject ?? message.topic;
  const movedAt = timeOfMove(message, event, channelId, topic);
  if (channelId === message.channelId && topic === message.topic && movedAt === message.movedAt)
    return message;
  return {
    ...message,
    conversationKey: topicConversationKey(channelId, topic),
    channelId,
    topic,
    topicLinks: event.topic_links ?? (topic === message.topic ? message.topicLinks : none),
    movedAt,
  };
}

/** Resolving a topic does not count; and what is known may be ahead of the event. */
function timeOfMove(
  message: ChannelMessage,
  event: UpdateMessageEvent,
  channelId: number,
  topic: string,
): number | undefined {
  const isInChannel = event.new_stream_id === undefined && channelId === message.channelId;
  if (isInChannel && isResolution(event.orig_subject ?? message.topic, topic)) return message.movedAt;
  const {edit_timestamp: at = message.movedAt} = event;
  return message.movedAt === undefined || at === undefined ? at : Math.max(at, message.movedAt);
}

export function withFlag(message: Message, op: 'add' | 'remove', flag: MessageFlag): Message {
  if (flag === 'read' || message.flags.includes(flag) === (op === 'add')) return message;
  const flags = op === 'add' ? [...message.flags, flag] : message.flags.filter((one) => one !== flag);
  return {...message, flags: flags.length === 0 ? none : flags};
}

export function flaggedMessage(message: Message, {op, flag}: AddFlagsEvent | RemoveFlagsEvent): Message {
  return withFlag(message, op, flag);
}

/** One person reacts with one emoji once, whatever name it goes by. */
export function reactedMessage(message: Message, event: ReactionEvent): Message {
  const isIt = (reaction: Reaction) =>
    reaction.userId === event.user_id &&
    reaction.emojiCode === event.emoji_code &&
    sameReactionType(reaction.reactionType, event.reaction_type);
  if (message.reactions.some(isIt) === (event.op === 'add')) return message;
  if (event.op === 'remove') {
    return {...message, reactions: message.reactions.filter((reaction) => !isIt(reaction))};
  }
  const reaction: Reaction = {
    emojiName: event.emoji_name,
    emojiCode: event.emoji_code,
    reactionType: event.reaction_type,
    userId: event.user_id,
  };
  return {...message, reactions: [...message.reactions, reaction]};
}

export function withSubmessage(message: Message, event: SubmessageEvent): Message {
  if (message.submessages.some(({id}) => id === event.submessage_id)) return message;
  const part = {
    id: event.submessage_id,
    senderId: event.sender_id,
    type: event.msg_type,
    content: event.content,
  };
  return {...message, submessages: [...message.submessages, part].sort((a, b) => a.id - b.id)};
}
