import {type Infer, int, ints, object, openEnum, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

const op = s.picklist(['start', 'stop']);
const typist = object({user_id: int}, {email: s.string()});

/** The user's own typing in direct messages is sent too; `recipients` includes the sender. */
export const typingEvent = object(
  {...eventFields('typing'), op, sender: typist},
  {
    message_type: openEnum('direct', 'stream', 'private'),
    recipients: s.array(typist),
    stream_id: int,
    topic: s.string(),
  },
);
export type TypingEvent = Infer<typeof typingEvent>;

export const typingEditEvent = object({
  ...eventFields('typing_edit_message'),
  op,
  sender_id: int,
  message_id: int,
  recipient: object({type: openEnum('direct', 'channel')}, {channel_id: int, topic: s.string(), user_ids: ints}),
});
export type TypingEditEvent = Infer<typeof typingEditEvent>;
