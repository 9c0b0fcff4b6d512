import type {themes} from '#theme/themes.ts';
import type {Looks} from './frame.ts';

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
export interface OwnSettings extends AppSettings {
  readonly theme: keyof typeof themes;
  readonly glyphs: Looks['glyphs'];
  readonly mouse: boolean;
}

/** One of them, and what it shall be. */
export type OwnSetting = {
  [K in keyof OwnSettings]: {readonly name: K; readonly value: OwnSettings[K]};
}[keyof OwnSettings];

/** How keeping it went, in words for the end of a sentence. Whatever they are, it holds until the program ends. */
export interface Kept {
  readonly isKept: boolean;
  readonly said: string;
}

export type KeepSetting = (setting: OwnSetting) => Kept;

/** Where nobody keeps anything. */
export const keptForNow: Kept = {isKept: true, said: 'until Parley ends'};
