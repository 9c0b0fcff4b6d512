import {topicConversationKey} from '#state/model/conversation.ts';
import type {ChannelMessage, Message, MessageFlag, Reaction} from '#state/model/message.ts';
import {isMove, isRenderingOnly} from '#wire/events/messages.ts';
import type {EventOf} from '#wire/events.ts';
import {sameReactionType} from '#wire/objects/reaction.ts';
import {isResolution} from '#wire/objects/topic.ts';

/*
 * The effects of events on one message, used for loaded messages and for those of a response that was in flight when
 * the event arrived. All return the same object when nothing changes.
 */

const none: readonly never[] = [];

/** Removes `read`: the unread index is the only source of what is unread. */
export function withoutReadFlag(flags: readonly MessageFlag[]): readonly MessageFlag[] {
  const remaining = flags.includes('read') ? flags.filter((flag) => flag !== 'read') : flags;
  return remaining.length === 0 ? none : remaining;
}

/** Returns one of the messages that the event names, after the event. `leavesOwn`: see `own-messages.ts`. */
export function updatedMessage(message: Message, event: EventOf<'update_message'>, leavesOwn: boolean): Message {
  const moved = message.kind === 'channel' && isMove(event) ? movedMessage(message, event) : message;
  if (leavesOwn) return withHistoricalFlags(moved);
  return message.id === event.message_id ? withEventFlags(withEditedContent(moved, event), event) : moved;
}

const historical: readonly MessageFlag[] = ['historical'];

function withHistoricalFlags(message: Message): Message {
  const {flags} = message;
  return flags.length === 1 && flags[0] === 'historical' ? message : {...message, flags: historical};
}

/**
 * Applies an edit of the content. A response may be ahead of the events: an edit older than the known one is ignored.
 */
function withEditedContent(message: Message, event: EventOf<'update_message'>): Message {
  const {content, edit_timestamp: editedAt, is_me_message: isMe = message.isMe} = event;
  if (content === undefined) return message;
  if (message.editedAt !== undefined && editedAt !== undefined && editedAt < message.editedAt) return message;
  const newEditedAt = isRenderingOnly(event) ? message.editedAt : (editedAt ?? message.editedAt);
  if (content === message.content && isMe === message.isMe && newEditedAt === message.editedAt) return message;
  const facts = content === message.content ? message.facts : undefined;
  return {...message, content, isMe, editedAt: newEditedAt, facts};
}

/**
 * Applies the event's flags, except that `starred` has events of its own and may be outdated here, and that the event
 * may lack `historical`.
 */
function withEventFlags(message: Message, event: EventOf<'update_message'>): Message {
  const kept: MessageFlag[] = message.flags.filter((flag) => flag === 'starred' || flag === 'historical');
  const added = event.flags.filter((flag) => flag !== 'read' && flag !== 'starred' && !kept.includes(flag));
  const flags = [...added, ...kept];
  if (flags.length === message.flags.length && flags.every((flag) => message.flags.includes(flag))) {
    return message;
  }
  return {...message, flags: flags.length === 0 ? none : flags};
}

/**
 * Returns a message after a move. A move to another channel keeps each message's spelling of the topic; a
 * message that already had the new topic's spelling still counts as moved.
 */
function movedMessage(message: ChannelMessage, event: EventOf<'update_message'>): ChannelMessage {
  const channelId = event.new_stream_id ?? event.stream_id ?? message.channelId;
  const topic = event.subject ?? message.topic;
  const movedAt = timeOfMove(message, event, channelId, topic);
  if (channelId === message.channelId && topic === message.topic && movedAt === message.movedAt) return message;
  return {
    ...message,
    conversationKey: topicConversationKey(channelId, topic),
    channelId,
    topic,
    topicLinks: event.topic_links ?? (topic === message.topic ? message.topicLinks : none),
    movedAt,
  };
}

/**
 * Returns when the message was last moved. Resolving a topic does not count as a move; the known time may be
 * newer than the event.
 */
function timeOfMove(
  message: ChannelMessage,
  event: EventOf<'update_message'>,
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
  const flags = op === 'add' ? [...message.flags, flag] : message.flags.filter((each) => each !== flag);
  return {...message, flags: flags.length === 0 ? none : flags};
}

export function flaggedMessage(
  message: Message,
  {op, flag}: EventOf<'update_message_flags', 'add'> | EventOf<'update_message_flags', 'remove'>,
): Message {
  return withFlag(message, op, flag);
}

/** Adds or removes a reaction. A user has at most one reaction per emoji, whatever its name. */
export function reactedMessage(message: Message, event: EventOf<'reaction'>): Message {
  const isSameReaction = (reaction: Reaction) =>
    reaction.userId === event.user_id &&
    reaction.emojiCode === event.emoji_code &&
    sameReactionType(reaction.reactionType, event.reaction_type);
  if (message.reactions.some(isSameReaction) === (event.op === 'add')) return message;
  if (event.op === 'remove') {
    return {...message, reactions: message.reactions.filter((reaction) => !isSameReaction(reaction))};
  }
  const reaction: Reaction = {
    emojiName: event.emoji_name,
    emojiCode: event.emoji_code,
    reactionType: event.reaction_type,
    userId: event.user_id,
  };
  return {...message, reactions: [...message.reactions, reaction]};
}

export function withSubmessage(message: Message, event: EventOf<'submessage'>): Message {
  if (message.submessages.some(({id}) => id === event.submessage_id)) return message;
  const submessage = {
    id: event.submessage_id,
    senderId: event.sender_id,
    type: event.msg_type,
    content: event.content,
  };
  return {...message, submessages: [...message.submessages, submessage].sort((a, b) => a.id - b.id)};
}
