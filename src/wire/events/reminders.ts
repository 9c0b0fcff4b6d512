import {reminder} from '#wire/objects/reminder.ts';
import {type Infer, int, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const remindersAdd = object({...eventFieldsWithOp('reminders', 'add'), reminders: s.array(reminder)});
export const remindersRemove = object({...eventFieldsWithOp('reminders', 'remove'), reminder_id: int});

export type RemindersEvent = Infer<typeof remindersAdd> | Infer<typeof remindersRemove>;
