import {versionFields} from '#wire/objects/version.ts';
import {type Infer, int, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** Register again if the level changed. */
export const restartEvent = object(eventFields('restart'), {
  ...versionFields,
  server_generation: int,
  immediate: s.boolean(),
});
export type RestartEvent = Infer<typeof restartEvent>;
