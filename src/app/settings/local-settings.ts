import type {App} from '#app/core/app.ts';
import type {OwnSetting} from '#app/core/settings.ts';
import {themes} from '#theme/themes.ts';

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
