import {settingFields} from '#wire/objects/settings.ts';
import {patchOf} from '#wire/property.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {opped} from './event.ts';

export const userSettingsUpdate = object(
  {...opped('user_settings', 'update'), property: s.string(), value: s.unknown()},
  {language_name: s.string()},
);
export type UserSettingsEvent = Infer<typeof userSettingsUpdate>;

/** The change as a checked patch of the settings; undefined for a property we do not know. */
export function settingsPatch(event: Pick<UserSettingsEvent, 'property' | 'value'>) {
  return patchOf(settingFields, event.property, event.value);
}
