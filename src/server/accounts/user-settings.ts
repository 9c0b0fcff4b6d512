import type {UserRow} from '#server/db/rows.ts';
import {type SettingName, settingDefaults} from '#wire/objects/user-settings.ts';

type Widened<T> = T extends boolean ? boolean : T extends number ? number : T extends string ? string : T;

/** Personal settings by their wire names. */
export type UserSettings = Omit<{[K in SettingName]: Widened<(typeof settingDefaults)[K]>}, 'twenty_four_hour_time'> & {
  /** Null means the format of the reader's locale. */
  twenty_four_hour_time: boolean | null;
};

export const userSettingDefaults: UserSettings = settingDefaults;

const settingsOfRow = new WeakMap<object, UserSettings>();

/** Returns the settings of a row. They are kept with it, because a send asks for each of its readers. */
export function userSettings(user: Pick<UserRow, 'settings' | 'timezone'>): Readonly<UserSettings> {
  if (user.settings === '{}' && user.timezone === '') return userSettingDefaults;
  const known = settingsOfRow.get(user);
  if (known !== undefined) return known;
  const settings: UserSettings = {...userSettingDefaults, ...JSON.parse(user.settings), timezone: user.timezone};
  settingsOfRow.set(user, settings);
  return settings;
}
