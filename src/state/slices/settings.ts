import {pickFields} from '#state/model/pick-fields.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {
  modernSettings,
  userSettings,
  type WireUserSettings as WireSettings,
  type WireUserSettings,
} from '#wire/objects/user-settings.ts';

export type AccountSettings = CamelKeys<WireSettings>;

const settingNames = Object.keys(userSettings.entries);

export function settingsFromWire(fields: WireUserSettings): Partial<AccountSettings> {
  return camelKeys(pickFields(modernSettings(fields), settingNames)) as Partial<AccountSettings>;
}
