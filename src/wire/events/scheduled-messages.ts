import {scheduledMessage} from '#wire/objects/scheduled-message.ts';
import {type Infer, int, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const scheduledMessagesAdd = object({
  ...eventFieldsWithOp('scheduled_messages', 'add'),
  scheduled_messages: s.array(scheduledMessage),
});
export const scheduledMessagesUpdate = object({
  ...eventFieldsWithOp('scheduled_messages', 'update'),
  scheduled_message: scheduledMessage,
});
/** The message was deleted or delivered. */
export const scheduledMessagesRemove = object({
  ...eventFieldsWithOp('scheduled_messages', 'remove'),
  scheduled_message_id: int,
});

export type ScheduledMessagesEvent =
  | Infer<typeof scheduledMessagesAdd>
  | Infer<typeof scheduledMessagesUpdate>
  | Infer<typeof scheduledMessagesRemove>;
