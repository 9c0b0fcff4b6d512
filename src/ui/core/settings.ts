/** The settings of `config.toml` that the screen uses. */
export interface AppSettings {
  /** Whether Space at the end of a conversation opens the next one, or only pages. */
  readonly readOn: 'advance' | 'page';
  readonly markRead: 'server' | 'onView' | 'onDone';
  readonly afterReply: 'advance' | 'stay';
  readonly undoSendSeconds: number;
  /** Undefined: use the account's setting. */
  readonly enterSends: boolean | undefined;
}

export type LocalSettingValue = boolean | number | string;

/** A setting of `config.toml`, for the settings screen. */
export interface LocalSetting {
  readonly key: string;
  /** The name in the file. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly default: LocalSettingValue;
  readonly value: LocalSettingValue;
  /** The values to choose from with their names on the screen; undefined for switches and numbers. */
  readonly choices?: Readonly<Record<string, string>> | undefined;
  /** The limits of a number. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/**
 * The result of saving a setting; `statusText` completes a sentence. The setting applies until the program
 * ends in any case.
 */
export interface SaveResult {
  readonly isSaved: boolean;
  readonly statusText: string;
}

/** The settings of this program. */
export interface LocalSettings {
  list(): readonly LocalSetting[];
  /** Applies a setting to all accounts and saves it for the next start. */
  change(key: string, value: LocalSettingValue): SaveResult;
}

/** Where there is no settings file. */
export const noLocalSettings: LocalSettings = {
  list: () => [],
  change: () => ({isSaved: true, statusText: 'until Parley ends'}),
};
