import {messageFlag} from '#wire/objects/message.ts';
import {byId, type Infer, int, ints, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

/** The details of messages that were marked as unread, so that the client can update its unread counts. */
export const messageDetails = s.variant('type', [
  object(
    {type: s.literal('stream'), stream_id: int, topic: s.string()},
    {mentioned: s.boolean(), unmuted_stream_msg: s.boolean()},
  ),
  // Without the user.
  object({type: s.literal('private'), user_ids: ints}, {mentioned: s.boolean()}),
]);
export type MessageDetails = Infer<typeof messageDetails>;

const fields = {flag: messageFlag, messages: ints};
const operation = s.picklist(['add', 'remove']);

/** With `all`, the flag was added to all messages and `messages` is empty. */
export const addFlagsEvent = object(
  {...eventFieldsWithOp('update_message_flags', 'add'), ...fields},
  {all: s.boolean(), operation},
);
export const removeFlagsEvent = object(
  {...eventFieldsWithOp('update_message_flags', 'remove'), ...fields},
  {all: s.boolean(), operation, message_details: byId(messageDetails)},
);
export type AddFlagsEvent = Infer<typeof addFlagsEvent>;
export type RemoveFlagsEvent = Infer<typeof removeFlagsEvent>;
export type UpdateMessageFlagsEvent = AddFlagsEvent | RemoveFlagsEvent;
