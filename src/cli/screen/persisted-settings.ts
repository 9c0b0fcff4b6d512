import {join} from 'node:path';
import type {LocalSettings} from '#app/core/host.ts';
import {changeSetting} from '#config/change-setting.ts';
import {displayPath, type Env, type Paths} from '#config/paths.ts';
import {ensurePrivateDirectory} from '#config/private-files.ts';
import {
  type ConfigSetting,
  type ConfigSettings,
  isSettingValue,
  overridingVariable,
  settingsFile,
  settingTable,
} from '#config/settings.ts';
import {errorText} from '#std/error-text.ts';
import {withOpeningLock} from '#storage/database.ts';

interface PersistedSettingsParts {
  readonly paths: Paths;
  readonly env: Env;
  readonly home: string;
  /** The settings at the start of the program. */
  readonly settings: ConfigSettings;
  /** Applies a changed setting to the open accounts. */
  readonly apply?: ((settings: ConfigSettings, changed: keyof ConfigSettings) => void) | undefined;
}

/** Saves settings that are changed on the screen, for the next start and for accounts that are opened later. */
export function localSettingsFile({paths, env, home, apply, ...parts}: PersistedSettingsParts) {
  let {settings} = parts;
  return {
    get settings() {
      return settings;
    },
    list: () =>
      Object.entries<ConfigSetting>(settingTable).map(([key, {type, appliesAtStart, ...setting}]) => ({
        ...setting,
        key,
        value: settings[key as keyof ConfigSettings],
      })),
    change: (name, value) => {
      const key = name as keyof ConfigSettings;
      const setting: ConfigSetting | undefined = Object.hasOwn(settingTable, key) ? settingTable[key] : undefined;
      if (setting === undefined || !isSettingValue(setting, value)) throw new Error(`Not a value of ${name}: ${value}`);
      settings = {...settings, [key]: value};
      if (setting.appliesAtStart !== true) apply?.(settings, key);
      try {
        ensurePrivateDirectory(paths.state);
        // Under a lock, so that two programs do not overwrite each other's changes. The value was checked against the record.
        withOpeningLock(join(paths.state, settingsFile), () =>
          changeSetting(paths.config, key, value as ConfigSettings[typeof key]),
        );
      } catch (error) {
        const problem = errorText(error).replaceAll(paths.config, displayPath(paths.config, home));
        return {isSaved: false, statusText: `until Parley exits: ${problem}`};
      }
      const variable = overridingVariable(key, env);
      if (variable !== undefined)
        return {isSaved: false, statusText: `saved, but $${variable} overrides it at the next start`};
      return {isSaved: true, statusText: setting.appliesAtStart === true ? 'saved, from the next start on' : 'saved'};
    },
  } satisfies LocalSettings & {readonly settings: ConfigSettings};
}
