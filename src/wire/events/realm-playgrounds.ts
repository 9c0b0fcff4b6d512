import {playground} from '#wire/objects/playground.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** Contains the whole list. */
export const realmPlaygroundsEvent = object({
  ...eventFields('realm_playgrounds'),
  realm_playgrounds: s.array(playground),
});
export type RealmPlaygroundsEvent = Infer<typeof realmPlaygroundsEvent>;
