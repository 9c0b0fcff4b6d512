import {type Infer, int, object, openEnum, s} from '#wire/schema.ts';

export const submessage = object({
  id: int,
  message_id: int,
  sender_id: int,
  msg_type: openEnum('widget'),
  content: s.string(),
});
export type WireSubmessage = Infer<typeof submessage>;
