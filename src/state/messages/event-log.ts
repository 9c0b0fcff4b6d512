import {topicConversationKey} from '#state/model/conversation.ts';
import type {ChannelMessage, Message, MessageFlag, Reaction} from '#state/model/message.ts';
import type {EventInContext, EventLog, LoggedEvent, MessageChange} from '#state/slices/event-log.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {deletedIds, isMove, isRenderingOnly} from '#wire/events/messages.ts';
import type {EventOf, ServerEvent} from '#wire/events.ts';
import {isResolution} from '#wire/objects/channel.ts';
import {sameReactionType} from '#wire/objects/message.ts';
import {leavesOwnMessages} from './event-conversations.ts';

/** More changes than this are not remembered: the oldest are dropped first. */
const maxChanges = 2000;

type LogAndSubscriptions = Pick<EventInContext, 'subscriptions'> & {readonly log: EventLog};

/**
 * Logs the event if a fetch is in flight, and remembers it if it changed messages: not those that it `found` as they should
 * be.
 */
export function withLoggedEvent(
  {log: before, subscriptions}: LogAndSubscriptions,
  event: ServerEvent,
  found: {has(id: number): boolean} = new Set(),
): EventLog {
  const isNew = isChange(event) && !hasChange(before, event) && !changedIds(event).every((id) => found.has(id));
  const log = isNew ? {...before, changes: withChange(before.changes, event)} : before;
  return log.fetchesInFlight === 0 ? log : {...log, last: {event, subscriptions, previous: log.last}};
}

/** What is unread is known of all messages, whatever responses say. */
function isChange(event: ServerEvent): event is MessageChange {
  if (event.type === 'update_message_flags') return event.flag !== 'read';
  return event.type === 'update_message' || event.type === 'reaction' || event.type === 'submessage';
}

function withChange(changes: EventLog['changes'] = SortedMap.empty(), event: MessageChange): EventLog['changes'] {
  const oldest = changes.size < maxChanges ? undefined : changes.firstKey();
  const kept = oldest === undefined ? changes : changes.without(oldest);
  return kept.with((changes.lastKey() ?? 0) + 1, event);
}

/** Returns whether the same event was remembered, which a server may send twice. */
function hasChange({changes}: EventLog, event: MessageChange): boolean {
  const last = changes?.lastKey();
  return last !== undefined && deepEqual(changes?.get(last), event);
}

/** Returns the changes of any of these messages, oldest first. */
export function changesOf(
  {log, subscriptions}: LogAndSubscriptions,
  ids: ReadonlySet<number>,
): readonly EventInContext[] {
  const changes = [...(log.changes?.values() ?? [])].filter((event) => changedIds(event).some((id) => ids.has(id)));
  // A change of subscriptions makes them forgotten.
  return changes.map((event) => ({event, subscriptions}));
}

function changedIds(event: MessageChange): readonly number[] {
  if (event.type === 'update_message_flags') return event.messages;
  return event.type === 'update_message' ? [event.message_id, ...event.message_ids] : [event.message_id];
}

/** Returns the events after `mark`, oldest first. */
export function eventsSince(log: EventLog, mark: LoggedEvent | undefined): EventInContext[] {
  const events: EventInContext[] = [];
  for (let entry = log.last; entry !== undefined && entry !== mark; entry = entry.previous) {
    events.push(entry);
  }
  return events.reverse();
}

/** Returns the new messages in the log. They must stay loaded: responses in flight may lack them. */
export function loggedMessageIds(log: EventLog): readonly number[] {
  return eventsSince(log, undefined).flatMap(({event}) => (event.type === 'message' ? [event.message.id] : []));
}

/** The messages of a response, and which of them are unread. */
export interface ReplayedMessages {
  readonly messages: ReadonlyMap<number, Message>;
  readonly unreadIds: ReadonlySet<number>;
}

/**
 * Returns a response's messages as they are after these events. Costs O(messages the events name), not events
 * times messages.
 */
export function replayEvents(
  messages: readonly Message[],
  unreadIds: readonly number[],
  since: readonly EventInContext[],
): ReplayedMessages {
  const replayed = new Map(messages.map((message) => [message.id, withFlags(message, withoutReadFlag(message.flags))]));
  const unread = new Set(unreadIds);
  const change = (ids: readonly number[], after: (message: Message) => Message) => {
    for (const id of ids) {
      const message = replayed.get(id);
      if (message !== undefined) replayed.set(id, after(message));
    }
  };
  for (const {event, subscriptions} of since) {
    switch (event.type) {
      case 'update_message': {
        const leavesOwn = leavesOwnMessages({subscriptions}, event);
        change([event.message_id, ...event.message_ids], (message) => updatedMessage(message, event, leavesOwn));
        break;
      }
      case 'delete_message':
        for (const id of deletedIds(event)) replayed.delete(id);
        break;
      case 'update_message_flags':
        if (event.flag === 'read') markReadOrUnread(unread, event);
        change(event.messages, (message) => flaggedMessage(message, event));
        break;
      case 'reaction':
        change([event.message_id], (message) => reactedMessage(message, event));
        break;
      case 'submessage':
        change([event.message_id], (message) => withSubmessage(message, event));
        break;
    }
  }
  return {messages: replayed, unreadIds: unread};
}

function markReadOrUnread(unreadIds: Set<number>, event: EventOf<'update_message_flags'>): void {
  if (event.op === 'add' && event.all === true) unreadIds.clear();
  for (const id of event.messages) {
    if (event.op === 'add') unreadIds.delete(id);
    else unreadIds.add(id);
  }
}

function withFlags(message: Message, flags: Message['flags']): Message {
  return flags === message.flags ? message : {...message, flags};
}

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

/** Returns one of the messages that the event names, after the event. `leavesOwn`: see `leavesOwnMessages`. */
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

export function flaggedMessage(message: Message, {op, flag}: EventOf<'update_message_flags'>): Message {
  if (flag === 'read' || message.flags.includes(flag) === (op === 'add')) return message;
  const flags = op === 'add' ? [...message.flags, flag] : message.flags.filter((each) => each !== flag);
  return {...message, flags: flags.length === 0 ? none : flags};
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
