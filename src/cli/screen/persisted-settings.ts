import {join} from 'node:path';
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
import {withOpeningLock} from '#storage/database-files.ts';
import type {LocalSetting, LocalSettings, LocalSettingValue, SaveResult} from '#ui/core/host.ts';

export interface PersistedSettingsParts {
  readonly paths: Paths;
  readonly env: Env;
  readonly home: string;
  /** The settings at the start of the program. */
  readonly settings: ConfigSettings;
  /** Applies a changed setting to the open accounts. */
  readonly apply?: ((settings: ConfigSettings, changed: keyof ConfigSettings) => void) | undefined;
}

/** Saves settings that are changed on the screen, for the next start and for accounts that are opened later. */
export class PersistedSettings implements LocalSettings {
  readonly #parts: PersistedSettingsParts;
  #settings: ConfigSettings;

  constructor(parts: PersistedSettingsParts) {
    this.#parts = parts;
    this.#settings = parts.settings;
  }

  get settings(): ConfigSettings {
    return this.#settings;
  }

  list(): readonly LocalSetting[] {
    return Object.entries<ConfigSetting>(settingTable).map(([key, setting]) => ({
      key,
      name: setting.name,
      title: setting.title,
      description: setting.description,
      default: setting.default,
      value: this.#settings[key as keyof ConfigSettings],
      ...(setting.type === 'choice' && {choices: setting.choices}),
      ...(setting.type === 'number' && {min: setting.min, max: setting.max, unit: setting.unit}),
    }));
  }

  change(name: string, value: LocalSettingValue): SaveResult {
    const key = name as keyof ConfigSettings;
    const setting: ConfigSetting | undefined = Object.hasOwn(settingTable, key) ? settingTable[key] : undefined;
    if (setting === undefined || !isSettingValue(setting, value)) throw new Error(`Not a value of ${name}: ${value}`);
    this.#settings = {...this.#settings, [key]: value};
    if (setting.appliesAtStart !== true) this.#parts.apply?.(this.#settings, key);
    try {
      // The value was checked against the record of the key.
      this.#write(key, value as ConfigSettings[typeof key]);
    } catch (error) {
      return {isSaved: false, statusText: `until Parley exits: ${this.#withShortPath(errorText(error))}`};
    }
    const variable = overridingVariable(key, this.#parts.env);
    if (variable !== undefined)
      return {isSaved: false, statusText: `saved, but $${variable} overrides it at the next start`};
    return {isSaved: true, statusText: setting.appliesAtStart === true ? 'saved, from the next start on' : 'saved'};
  }

  /** Writes the setting under a lock, so that two programs do not overwrite each other's changes. */
  #write<K extends keyof ConfigSettings>(key: K, value: ConfigSettings[K]): void {
    const {paths} = this.#parts;
    ensurePrivateDirectory(paths.state);
    withOpeningLock(join(paths.state, settingsFile), () => changeSetting(paths.config, key, value));
  }

  #withShortPath(problem: string): string {
    const {paths, home} = this.#parts;
    return problem.replaceAll(paths.config, displayPath(paths.config, home));
  }
}
