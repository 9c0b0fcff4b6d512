import {object} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** Keeps the connection alive. Clients acknowledge it like any other event. */
export const heartbeatEvent = object(eventFields('heartbeat'));
