import type {App, AppSettings} from '#app/core/app.ts';
import type {Looks} from '#app/core/frame.ts';
import {themes} from '#theme/themes.ts';

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

/** From now on. */
export function applySetting(app: App, setting: OwnSetting): void {
  switch (setting.name) {
    case 'theme':
      app.setLooks({theme: themes[setting.value]});
      return;
    case 'glyphs':
      app.setLooks({glyphs: setting.value});
      return;
    case 'mouse':
      app.set({isMouseOn: setting.value});
      app.device.setMouse(setting.value);
      return;
    default:
      app.changeSettings({[setting.name]: setting.value});
  }
}
