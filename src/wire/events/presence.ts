import {legacyPresence, modernPresence, presences, type WirePresences} from '#wire/objects/presence.ts';
import {type Infer, int, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** Has `presences` if the client has the capability for it, the other fields otherwise. */
export const presenceEvent = object(eventFields('presence'), {
  presences,
  user_id: int,
  email: s.string(),
  server_timestamp: s.number(),
  presence: legacyPresence,
});
export type PresenceEvent = Infer<typeof presenceEvent>;

/** Returns the presences by user id, for both forms of the event. */
export function presencesOf(event: PresenceEvent): WirePresences {
  if (event.presences !== undefined) return event.presences;
  if (event.user_id === undefined || event.presence === undefined) return {};
  return {[event.user_id]: modernPresence(event.presence)};
}
