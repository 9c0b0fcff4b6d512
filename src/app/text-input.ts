import {pasteIntoComposer, typeIntoComposer} from '#app/compose/type-into-composer.ts';
import type {App} from '#app/core/app.ts';
import {changeFilter, filteringList} from '#app/lists/list-filter.ts';
import {changePickerField, openedPicker} from '#app/overlays/picker.ts';
import {fieldEdits} from '#app/text/line-editing-keys.ts';
import {insert} from '#app/text/text-field.ts';

/** Where characters go now; undefined when nothing takes text. */
export function textPlace(app: Pick<App, 'screen'>): 'picker' | 'filter' | 'composer' | undefined {
  const {screen} = app;
  if (screen.overlays.length > 0) {
    const open = openedPicker(app);
    return open === undefined || open.picker.isMenu === true ? undefined : 'picker';
  }
  if (filteringList(screen) !== undefined) return 'filter';
  return screen.focus === 'composer' ? 'composer' : undefined;
}

/** False when nothing takes text now. */
export function typeText(app: App, text: string): boolean {
  switch (textPlace(app)) {
    case 'picker':
      changePickerField(app, (field) => insert(field, text));
      return true;
    case 'filter':
      changeFilter(app, (field) => insert(field, text));
      return true;
    case 'composer':
      typeIntoComposer(app, text);
      return true;
    default:
      return false;
  }
}

/** An editing key in a one-line field; false when it is none, or when none has the keys. The composer has its own. */
export function editField(app: App, keyName: string): boolean {
  const edit = fieldEdits.get(keyName);
  const place = textPlace(app);
  if (edit === undefined || (place !== 'picker' && place !== 'filter')) return false;
  if (place === 'picker') changePickerField(app, edit);
  else changeFilter(app, edit);
  return true;
}

/** Pastes never send and never act: outside of text they are refused with a word. */
export function pasteText(app: App, text: string): void {
  if (textPlace(app) === 'composer') pasteIntoComposer(app, text);
  else if (!typeText(app, text.replaceAll(/\s+/g, ' '))) {
    app.toast(
      'Pasted text goes into the composer: r replies, c begins a topic, x writes to somebody.',
      'warning',
    );
  }
}
