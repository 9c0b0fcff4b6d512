import {join} from 'node:path';
import type {AppSettings, LocalSetting, SaveResult} from '#app/core/settings.ts';
import {changeSetting} from '#config/change-setting.ts';
import {displayPath, type Env, type Paths} from '#config/paths.ts';
import {ensurePrivateDirectory} from '#config/private-files.ts';
import {type ConfigSettings, overridingVariable, settingsFile} from '#config/settings.ts';
import {errorText} from '#std/error-text.ts';
import {withOpeningLock} from '#storage/opening-lock.ts';

export interface PersistedSettingsParts {
  readonly paths: Paths;
  readonly env: Env;
  readonly home: string;
  /** The settings at the start of the program. */
  readonly settings: ConfigSettings;
}

/** Saves settings that are changed on the screen, for the next start and for accounts that are opened later. */
export class PersistedSettings {
  readonly #parts: PersistedSettingsParts;
  #settings: ConfigSettings;

  constructor(parts: PersistedSettingsParts) {
    this.#parts = parts;
    this.#settings = parts.settings;
  }

  get settings(): ConfigSettings {
    return this.#settings;
  }

  persist(setting: LocalSetting): SaveResult {
    const [key, value] = asInFile(setting);
    // The value has the type of the key: both come from one record.
    this.#settings = {...this.#settings, [key]: value};
    try {
      this.#write(key, value as ConfigSettings[typeof key]);
    } catch (error) {
      return {isSaved: false, statusText: `until Parley exits: ${this.#withShortPath(errorText(error))}`};
    }
    const variable = overridingVariable(key, this.#parts.env);
    if (variable === undefined) return {isSaved: true, statusText: 'saved'};
    return {isSaved: false, statusText: `saved, but $${variable} overrides it at the next start`};
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

const markRead: Readonly<Record<AppSettings['markRead'], ConfigSettings['markRead']>> = {
  server: 'server',
  onView: 'on-view',
  onDone: 'on-done',
};

/** Returns the key and value as the configuration file spells them. */
function asInFile(
  setting: LocalSetting,
): readonly [key: keyof ConfigSettings, value: ConfigSettings[keyof ConfigSettings]] {
  switch (setting.name) {
    case 'markRead':
      return [setting.name, markRead[setting.value]];
    case 'enterSends':
      return [setting.name, setting.value === undefined ? 'auto' : setting.value ? 'yes' : 'no'];
    default:
      return [setting.name, setting.value];
  }
}
