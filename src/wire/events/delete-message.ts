import {type Infer, int, ints, object, openEnum, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** The event has no recipients of direct messages; clients find the messages by id. */
export const deleteMessageEvent = object(
  {...eventFields('delete_message'), message_type: openEnum('stream', 'private')},
  {message_ids: ints, message_id: int, stream_id: int, topic: s.string()},
);
export type DeleteMessageEvent = Infer<typeof deleteMessageEvent>;

/** Returns the ids of the deleted messages, ascending. Without the bulk capability an event has one message. */
export function deletedIds(event: Pick<DeleteMessageEvent, 'message_ids' | 'message_id'>): number[] {
  if (event.message_ids !== undefined) return event.message_ids.toSorted((a, b) => a - b);
  return event.message_id === undefined ? [] : [event.message_id];
}
