import {versionFields} from '#wire/objects/version.ts';
import {type Infer, int, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** The server was restarted; the client must register again if the feature level changed. */
export const restartEvent = object(eventFields('restart'), {
  ...versionFields,
  server_generation: int,
  immediate: s.boolean(),
});
export type RestartEvent = Infer<typeof restartEvent>;
