import {type Infer, object} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** Some invitation was sent, changed or revoked; clients fetch the list again. Sent to administrators and the inviter. */
export const invitesChangedEvent = object(eventFields('invites_changed'));
export type InvitesChangedEvent = Infer<typeof invitesChangedEvent>;
