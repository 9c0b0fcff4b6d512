import {selfId} from '#test/support/state-builders.ts';
import type {EventOf} from '#wire/events.ts';
import type {WireMessage} from '#wire/objects/message.ts';

/** Events as a queue delivers them; tests override the fields they are about. */

const plain = {
  sender_id: 11,
  sender_email: 'person11@example.com',
  sender_full_name: 'Person 11',
  content: 'hello',
  timestamp: 1_767_225_600,
  reactions: [],
};

type ChannelFields = Partial<Extract<WireMessage, {type: 'stream'}>>;

/** A message in channel 1, topic `talk`, by default. */
export function channelMessage(fields: ChannelFields = {}): WireMessage {
  return {
    ...plain,
    id: 1,
    type: 'stream',
    stream_id: 1,
    display_recipient: 'channel',
    subject: 'talk',
    ...fields,
  };
}

/** A message with user 11, by default. */
export function directMessage(
  fields: Partial<Extract<WireMessage, {type: 'private'}>> & {with?: readonly number[]} = {},
): WireMessage {
  const {with: others = [11], ...rest} = fields;
  const people = [...others, selfId].map((id) => ({
    id,
    email: `person${id}@example.com`,
    full_name: `Person ${id}`,
  }));
  return {...plain, id: 1, type: 'private', subject: '', display_recipient: people, ...rest};
}

export function buildMessageEvent(message: WireMessage, ...flags: string[]): EventOf<'message'> {
  return {type: 'message', id: 0, message, flags};
}

/** A content edit or, with `subject` or `new_stream_id`, a move out of channel 1, topic `talk`. */
export function buildUpdateMessageEvent(fields: Partial<EventOf<'update_message'>>): EventOf<'update_message'> {
  const messageId = fields.message_id ?? fields.message_ids?.[0] ?? 1;
  const isMove = fields.subject !== undefined || fields.new_stream_id !== undefined;
  return {
    type: 'update_message',
    id: 0,
    user_id: 11,
    rendering_only: false,
    message_id: messageId,
    message_ids: [messageId],
    flags: [],
    edit_timestamp: 1_767_229_200,
    stream_id: 1,
    ...(isMove && {orig_subject: 'talk', propagate_mode: 'change_one'}),
    ...fields,
  };
}

export function buildDeleteMessageEvent(...ids: number[]): EventOf<'delete_message'> {
  return {
    type: 'delete_message',
    id: 0,
    message_type: 'stream',
    message_ids: ids,
    stream_id: 1,
    topic: 'talk',
  };
}

export function buildDeleteDirectEvent(...ids: number[]): EventOf<'delete_message'> {
  return {type: 'delete_message', id: 0, message_type: 'private', message_ids: ids};
}

export function buildAddFlagEvent(flag: string, ...messages: number[]): EventOf<'update_message_flags', 'add'> {
  return {type: 'update_message_flags', id: 0, op: 'add', flag, messages, all: false};
}

export const markAllReadEvent: EventOf<'update_message_flags', 'add'> = {
  ...buildAddFlagEvent('read'),
  all: true,
};

type Details = NonNullable<EventOf<'update_message_flags', 'remove'>['message_details']>;

export function buildRemoveFlagEvent(
  flag: string,
  messages: number[],
  details?: Details,
): EventOf<'update_message_flags', 'remove'> {
  return {
    type: 'update_message_flags',
    id: 0,
    op: 'remove',
    flag,
    messages,
    all: false,
    ...(details !== undefined && {message_details: details}),
  };
}

export function buildReactionEvent(fields: Partial<EventOf<'reaction'>> = {}): EventOf<'reaction'> {
  return {
    type: 'reaction',
    id: 0,
    op: 'add',
    message_id: 1,
    user_id: 11,
    emoji_name: 'tada',
    emoji_code: '1f389',
    reaction_type: 'unicode_emoji',
    ...fields,
  };
}
