import {message, messageFlag} from '#wire/objects/message.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {typed} from './event-fields.ts';

/** The flags are beside the message; `local_message_id` reaches only the queue that sent it. */
export const messageEvent = object(
  {...typed('message'), message, flags: s.array(messageFlag)},
  {local_message_id: s.string()},
);
export type MessageEvent = Infer<typeof messageEvent>;
