import {pickFields} from '#state/model/pick-fields.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {modernSettings, settingDefaults, userSettings, type WireUserSettings} from '#wire/objects/user-settings.ts';
import {savedObject} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export type AccountSettings = CamelKeys<WireUserSettings>;

const settingNames = Object.keys(userSettings.entries);

export function settingsFromWire(fields: WireUserSettings): Partial<AccountSettings> {
  return camelKeys(pickFields(modernSettings(fields), settingNames)) as Partial<AccountSettings>;
}

const initial: AccountSettings = camelKeys(settingDefaults);

export const settings: Slice<AccountSettings> = {
  initial,
  registered: fromSnapshot(['user_settings'], ({user_settings = {}}) => ({
    ...initial,
    ...settingsFromWire(user_settings),
  })),
  saved: savedObject(),
  appliers: {},
};
