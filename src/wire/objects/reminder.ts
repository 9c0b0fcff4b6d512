import {type Infer, int, ints, object, s, timestamp, words} from '#wire/schema.ts';

export const reminder = object(
  {
    reminder_id: int,
    to: ints,
    content: s.string(),
    rendered_content: s.string(),
    scheduled_delivery_timestamp: timestamp,
    reminder_target_message_id: int,
  },
  {type: words('private'), failed: s.boolean(), note: s.string()},
);
export type Reminder = Infer<typeof reminder>;
