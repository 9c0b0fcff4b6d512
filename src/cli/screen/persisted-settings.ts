import {join} from 'node:path';
import type {AppSettings, Kept, OwnSetting} from '#app/core/settings.ts';
import {changeSetting} from '#config/change-setting.ts';
import {type Env, type Paths, shownPath} from '#config/paths.ts';
import {privateDirectory} from '#config/private-files.ts';
import {overridingVariable, type Settings, settingsFile} from '#config/settings.ts';
import {withOpeningLock} from '#storage/opening-lock.ts';

export interface KeptSettingsParts {
  readonly paths: Paths;
  readonly env: Env;
  readonly home: string;
  /** As they were read. */
  readonly settings: Settings;
}

/** What was chosen on the screen, for the next start; and for accounts that are opened later. */
export class KeptSettings {
  readonly #parts: KeptSettingsParts;
  #settings: Settings;

  constructor(parts: KeptSettingsParts) {
    this.#parts = parts;
    this.#settings = parts.settings;
  }

  get settings(): Settings {
    return this.#settings;
  }

  keep(setting: OwnSetting): Kept {
    const [key, value] = asInFile(setting);
    // The value is of the kind that the key has: both come from one record.
    this.#settings = {...this.#settings, [key]: value};
    try {
      this.#write(key, value as Settings[typeof key]);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return {isKept: false, said: `until Parley ends: ${this.#withShortPath(problem)}`};
    }
    const variable = overridingVariable(key, this.#parts.env);
    if (variable === undefined) return {isKept: true, said: 'saved'};
    return {isKept: false, said: `saved, but $${variable} is over it at the next start`};
  }

  /** One program at a time, so that none writes over what another has just written. */
  #write<K extends keyof Settings>(key: K, value: Settings[K]): void {
    const {paths} = this.#parts;
    privateDirectory(paths.state);
    withOpeningLock(join(paths.state, settingsFile), () => changeSetting(paths.config, key, value));
  }

  #withShortPath(problem: string): string {
    const {paths, home} = this.#parts;
    return problem.replaceAll(paths.config, shownPath(paths.config, home));
  }
}

const markRead: Readonly<Record<AppSettings['markRead'], Settings['markRead']>> = {
  server: 'server',
  onView: 'on-view',
  onDone: 'on-done',
};

/** As the file spells it. */
function asInFile(setting: OwnSetting): readonly [key: keyof Settings, value: Settings[keyof Settings]] {
  switch (setting.name) {
    case 'markRead':
      return [setting.name, markRead[setting.value]];
    case 'enterSends':
      return [setting.name, setting.value === undefined ? 'auto' : setting.value ? 'yes' : 'no'];
    default:
      return [setting.name, setting.value];
  }
}
