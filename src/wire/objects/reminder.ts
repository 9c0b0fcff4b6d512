import {type Infer, int, ints, object, openEnum, s, timestamp} from '#wire/schema.ts';

export const reminder = object(
  {
    reminder_id: int,
    to: ints,
    content: s.string(),
    rendered_content: s.string(),
    scheduled_delivery_timestamp: timestamp,
    reminder_target_message_id: int,
  },
  {type: openEnum('private'), failed: s.boolean(), note: s.string()},
);
export type WireReminder = Infer<typeof reminder>;
