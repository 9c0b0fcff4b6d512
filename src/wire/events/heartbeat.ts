import {type Infer, object} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** Keeps the connection alive; acknowledged by its id like any other. */
export const heartbeatEvent = object(eventFields('heartbeat'));
export type HeartbeatEvent = Infer<typeof heartbeatEvent>;
