import {message, messageFlag} from '#wire/objects/message.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** A new message, with its flags beside it. `local_message_id` is sent only to the queue of the sending client. */
export const messageEvent = object(
  {...eventFields('message'), message, flags: s.array(messageFlag)},
  {local_message_id: s.string()},
);
export type MessageEvent = Infer<typeof messageEvent>;
