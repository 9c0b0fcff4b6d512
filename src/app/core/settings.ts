import type {themes} from '#theme/themes.ts';
import type {DisplayOptions} from './frame.ts';

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

/** All settings that the program itself saves in `config.toml`. */
export interface LocalSettings extends AppSettings {
  readonly theme: keyof typeof themes;
  readonly glyphs: DisplayOptions['glyphs'];
  readonly mouse: boolean;
}

/** One setting and its new value. */
export type LocalSetting = {
  [K in keyof LocalSettings]: {readonly name: K; readonly value: LocalSettings[K]};
}[keyof LocalSettings];

/**
 * The result of saving a setting; `statusText` completes a sentence. The setting applies until the program
 * ends in any case.
 */
export interface SaveResult {
  readonly isSaved: boolean;
  readonly statusText: string;
}

export type SaveSetting = (setting: LocalSetting) => SaveResult;

/** The result where no settings file is written. */
export const savedUntilExit: SaveResult = {isSaved: true, statusText: 'until Parley ends'};
