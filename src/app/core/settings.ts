import type {themes} from '#theme/themes.ts';
import type {DisplayOptions} from './frame.ts';

/** What a person can choose in `config.toml`, as far as the screen asks. */
export interface AppSettings {
  /** Space at the end of a conversation goes on to the next, or only pages. */
  readonly readOn: 'advance' | 'page';
  readonly markRead: 'server' | 'onView' | 'onDone';
  readonly afterReply: 'advance' | 'stay';
  readonly undoSendSeconds: number;
  /** Undefined: as the account says. */
  readonly enterSends: boolean | undefined;
}

/** What this program has for itself, and `config.toml` keeps. */
export interface LocalSettings extends AppSettings {
  readonly theme: keyof typeof themes;
  readonly glyphs: DisplayOptions['glyphs'];
  readonly mouse: boolean;
}

/** One of them, and what it shall be. */
export type LocalSetting = {
  [K in keyof LocalSettings]: {readonly name: K; readonly value: LocalSettings[K]};
}[keyof LocalSettings];

/** How keeping it went, in words for the end of a sentence. Whatever they are, it holds until the program ends. */
export interface SaveResult {
  readonly isSaved: boolean;
  readonly statusText: string;
}

export type SaveSetting = (setting: LocalSetting) => SaveResult;

/** Where nobody keeps anything. */
export const savedUntilExit: SaveResult = {isSaved: true, statusText: 'until Parley ends'};
