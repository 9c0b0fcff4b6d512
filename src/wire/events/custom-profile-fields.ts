import {profileField} from '#wire/objects/profile-field.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** Contains the whole list. */
export const customProfileFieldsEvent = object({
  ...eventFields('custom_profile_fields'),
  fields: s.array(profileField),
});
export type CustomProfileFieldsEvent = Infer<typeof customProfileFieldsEvent>;
