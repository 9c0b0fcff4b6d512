import {alias, endpoint, json, loose, number, optional, pathId, raw, since, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {reminder} from '#wire/objects/reminder.ts';
import {scheduledMessage} from '#wire/objects/scheduled-message.ts';
import {int, object, s} from '#wire/schema.ts';

const type = raw(
  s.picklist(
    ['direct', 'channel', 'stream', 'private'],
    'Invalid {at}: Value error, Not in the list of possible values',
  ),
);
/** Any value is accepted, because the error for a wrong one depends on the type of message. */
const to = loose(s.custom<number | readonly number[]>(() => true));
const topic = alias(optional(text), 'subject');

export const getScheduledMessages = endpoint('scheduled-message.list', 'GET /scheduled_messages', {
  since: levels.scheduledMessages,
  result: object({scheduled_messages: s.array(scheduledMessage)}),
});

export const createScheduledMessage = endpoint('scheduled-message.create', 'POST /scheduled_messages', {
  since: levels.createScheduledMessage,
  params: {
    type,
    to,
    content: text,
    topic,
    scheduled_delivery_timestamp: number,
    read_by_sender: since(levels.readBySender, optional(json(s.boolean()))),
  },
  result: object({scheduled_message_id: int}),
});

export const editScheduledMessage = endpoint(
  'scheduled-message.edit',
  'PATCH /scheduled_messages/{scheduled_message_id}',
  {
    since: levels.editScheduledMessage,
    params: {
      scheduled_message_id: pathId,
      type: optional(type),
      to: optional(to),
      content: optional(text),
      topic,
      scheduled_delivery_timestamp: optional(number),
    },
  },
);

export const deleteScheduledMessage = endpoint(
  'scheduled-message.delete',
  'DELETE /scheduled_messages/{scheduled_message_id}',
  {since: levels.scheduledMessages, params: {scheduled_message_id: pathId}},
);

export const getReminders = endpoint('reminder.list', 'GET /reminders', {
  since: levels.reminders,
  result: object({reminders: s.array(reminder)}),
});

export const createReminder = endpoint('reminder.create', 'POST /reminders', {
  since: levels.createReminder,
  params: {
    message_id: number,
    scheduled_delivery_timestamp: number,
    note: since(levels.reminderNote, optional(text)),
  },
  result: object({reminder_id: int}),
});

export const deleteReminder = endpoint('reminder.delete', 'DELETE /reminders/{reminder_id}', {
  since: levels.reminders,
  params: {reminder_id: pathId},
});
