import {int, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** The schemas of events that Zulip's web application reads and this client does not request. */
export const webClientEventSchemas = {
  realm_export_consent: object({...eventFields('realm_export_consent'), user_id: int, consented: s.boolean()}),
};
