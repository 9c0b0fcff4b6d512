import {settingFields} from '#wire/objects/user-settings.ts';
import {propertyPatch} from '#wire/property-patch.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const userSettingsUpdate = object(
  {...eventFieldsWithOp('user_settings', 'update'), property: s.string(), value: s.unknown()},
  {language_name: s.string()},
);
export type UserSettingsEvent = Infer<typeof userSettingsUpdate>;

/** Returns the change as a checked patch of the settings; undefined for an unknown property. */
export function settingsPatch(event: Pick<UserSettingsEvent, 'property' | 'value'>) {
  return propertyPatch(settingFields, event.property, event.value);
}
