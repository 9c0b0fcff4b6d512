import {message, messageFlag} from '#wire/objects/message.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** The flags are beside the message; `local_message_id` reaches only the queue that sent it. */
export const messageEvent = object(
  {...eventFields('message'), message, flags: s.array(messageFlag)},
  {local_message_id: s.string()},
);
export type MessageEvent = Infer<typeof messageEvent>;
