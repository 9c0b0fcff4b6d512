import {join} from 'node:path';
import type {AppSettings, LocalSetting, SaveResult} from '#app/core/settings.ts';
import {changeSetting} from '#config/change-setting.ts';
import {displayPath, type Env, type Paths} from '#config/paths.ts';
import {ensurePrivateDirectory} from '#config/private-files.ts';
import {type ConfigSettings, overridingVariable, settingsFile} from '#config/settings.ts';
import {withOpeningLock} from '#storage/opening-lock.ts';

export interface PersistedSettingsParts {
  readonly paths: Paths;
  readonly env: Env;
  readonly home: string;
  /** As they were read. */
  readonly settings: ConfigSettings;
}

/** What was chosen on the screen, for the next start; and for accounts that are opened later. */
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
    // The value is of the kind that the key has: both come from one record.
    this.#settings = {...this.#settings, [key]: value};
    try {
      this.#write(key, value as ConfigSettings[typeof key]);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return {isSaved: false, statusText: `until Parley ends: ${this.#withShortPath(problem)}`};
    }
    const variable = overridingVariable(key, this.#parts.env);
    if (variable === undefined) return {isSaved: true, statusText: 'saved'};
    return {isSaved: false, statusText: `saved, but $${variable} is over it at the next start`};
  }

  /** One program at a time, so that none writes over what another has just written. */
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

/** As the file spells it. */
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
