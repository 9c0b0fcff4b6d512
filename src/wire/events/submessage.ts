import {type Infer, int, object, s, words} from '#wire/schema.ts';
import {typed} from './event-fields.ts';

/** `content` is JSON text. */
export const submessageEvent = object({
  ...typed('submessage'),
  message_id: int,
  submessage_id: int,
  sender_id: int,
  msg_type: words('widget'),
  content: s.string(),
});
export type SubmessageEvent = Infer<typeof submessageEvent>;
