import {type Infer, int, object, openEnum, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** A new submessage; `content` is JSON text. */
export const submessageEvent = object({
  ...eventFields('submessage'),
  message_id: int,
  submessage_id: int,
  sender_id: int,
  msg_type: openEnum('widget'),
  content: s.string(),
});
export type SubmessageEvent = Infer<typeof submessageEvent>;
