import {unreads} from '#wire/objects/channel.ts';
import {message, messageFlag, propagateMode, reaction, submessage, topicLink} from '#wire/objects/message.ts';
import {byId, type Infer, int, ints, nullableInt, object, openEnum, s, timestamp} from '#wire/schema.ts';
import {event, eventsByOp} from './event-schema.ts';

/** The details of messages that were marked as unread, so that the client can update its unread counts. */
const messageDetails = s.variant('type', [
  object(
    {type: s.literal('stream'), stream_id: int, topic: s.string()},
    {mentioned: s.boolean(), unmuted_stream_msg: s.boolean()},
  ),
  // Without the user.
  object({type: s.literal('private'), user_ids: ints}, {mentioned: s.boolean()}),
]);
export type MessageDetails = Infer<typeof messageDetails>;

const flagFields = {flag: messageFlag, messages: ints};
const operation = s.picklist(['add', 'remove']);
const {user, ...reactionFields} = reaction.entries;
const {id: submessage_id, ...submessageFields} = submessage.entries;
const typingOp = s.picklist(['start', 'stop']);
const typist = object({user_id: int}, {email: s.string()});

export const messageEvents = {
  /** A new message, with its flags beside it. `local_message_id` is sent only to the queue of the sending client. */
  message: event('message', {message, flags: s.array(messageFlag)}, {local_message_id: s.string()}),
  update_message: event(
    'update_message',
    {message_id: int, message_ids: ints, flags: s.array(messageFlag)},
    {
      user_id: nullableInt,
      rendering_only: s.boolean(),
      edit_timestamp: timestamp,
      stream_id: int,
      stream_name: s.string(),
      new_stream_id: int,
      propagate_mode: propagateMode,
      orig_subject: s.string(),
      subject: s.string(),
      topic_links: s.array(topicLink),
      orig_content: s.string(),
      orig_rendered_content: s.string(),
      prev_rendered_content_version: int,
      content: s.string(),
      rendered_content: s.string(),
      is_me_message: s.boolean(),
    },
  ),
  /** The event has no recipients of direct messages; clients find the messages by id. */
  delete_message: event(
    'delete_message',
    {message_type: openEnum('stream', 'private')},
    {message_ids: ints, message_id: int, stream_id: int, topic: s.string()},
  ),
  /** With `all`, the flag was added to all messages and `messages` is empty. */
  update_message_flags: eventsByOp('update_message_flags', {
    add: object(flagFields, {all: s.boolean(), operation}),
    remove: object(flagFields, {all: s.boolean(), operation, message_details: byId(messageDetails)}),
  }),
  reaction: event('reaction', {op: s.picklist(['add', 'remove']), message_id: int, ...reactionFields}, {user}),
  /** A new submessage; `content` is JSON text. */
  submessage: event('submessage', {submessage_id, ...submessageFields}),
  /** The user's own typing in direct messages is sent too; `recipients` includes the sender. */
  typing: event(
    'typing',
    {op: typingOp, sender: typist},
    {
      message_type: openEnum('direct', 'stream', 'private'),
      recipients: s.array(typist),
      stream_id: int,
      topic: s.string(),
    },
  ),
  typing_edit_message: event('typing_edit_message', {
    op: typingOp,
    sender_id: int,
    message_id: int,
    recipient: object({type: openEnum('direct', 'channel')}, {channel_id: int, topic: s.string(), user_ids: ints}),
  }),
};

/** The parts of a registration's response about the same. */
export const messageParts = {
  max_message_id: int,
  unread_msgs: unreads,
  starred_messages: ints,
  recent_private_conversations: s.array(object({max_message_id: int, user_ids: ints})),
};

/** The keys of a registration's response that these events change, see `fetch-types.ts`. */
export const messageEventKeys = {
  message: ['max_message_id', 'unread_msgs', 'recent_private_conversations'],
  update_message: ['unread_msgs'],
  delete_message: ['max_message_id', 'unread_msgs', 'starred_messages', 'recent_private_conversations'],
  update_message_flags: ['unread_msgs', 'starred_messages'],
  reaction: [],
  submessage: [],
  typing: [],
  typing_edit_message: [],
} as const satisfies Record<keyof typeof messageEvents, readonly string[]>;

type DeleteMessageEvent = Infer<typeof messageEvents.delete_message>;
type UpdateMessageEvent = Infer<typeof messageEvents.update_message>;

/** Returns the ids of the deleted messages, ascending. Without the bulk capability an event has one message. */
export function deletedIds(event: Pick<DeleteMessageEvent, 'message_ids' | 'message_id'>): number[] {
  if (event.message_ids !== undefined) return event.message_ids.toSorted((a, b) => a - b);
  return event.message_id === undefined ? [] : [event.message_id];
}

/** Returns whether only the rendering changed, without an edit. Servers below level 114 omit `user_id` instead. */
export function isRenderingOnly(event: UpdateMessageEvent): boolean {
  return event.rendering_only ?? (event.user_id === undefined || event.user_id === null);
}

/** Returns whether the messages moved to another topic or channel. */
export function isMove(event: UpdateMessageEvent): boolean {
  return event.new_stream_id !== undefined || event.subject !== undefined;
}
