import {linkifier} from '#wire/objects/linkifier.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** Contains the whole list, in order of precedence. */
export const realmLinkifiersEvent = object({
  ...eventFields('realm_linkifiers'),
  realm_linkifiers: s.array(linkifier),
});
export type RealmLinkifiersEvent = Infer<typeof realmLinkifiersEvent>;
