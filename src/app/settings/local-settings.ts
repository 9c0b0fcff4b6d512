import type {App} from '#app/core/app.ts';
import type {LocalSetting} from '#app/core/settings.ts';
import {themes} from '#theme/themes.ts';

/** Applies a setting to the running app. */
export function applySetting(app: App, setting: LocalSetting): void {
  switch (setting.name) {
    case 'theme':
      app.setDisplay({theme: themes[setting.value]});
      return;
    case 'glyphs':
      app.setDisplay({glyphs: setting.value});
      return;
    case 'mouse':
      app.set({isMouseOn: setting.value});
      app.device.setMouse(setting.value);
      return;
    default:
      app.changeSettings({[setting.name]: setting.value});
  }
}
