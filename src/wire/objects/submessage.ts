import {type Infer, int, object, s, words} from '#wire/schema.ts';

export const submessage = object({
  id: int,
  message_id: int,
  sender_id: int,
  msg_type: words('widget'),
  content: s.string(),
});
export type Submessage = Infer<typeof submessage>;
