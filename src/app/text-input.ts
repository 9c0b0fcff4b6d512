import {pasteIntoComposer, typeIntoComposer} from '#app/compose/type-into-composer.ts';
import type {App} from '#app/core/app.ts';
import {changeFilter, listBeingFiltered} from '#app/lists/list-filter.ts';
import {changePickerField, openedPicker} from '#app/overlays/picker.ts';
import {lineEditingKeys} from '#app/text/line-editing-keys.ts';
import {insert} from '#app/text/text-field.ts';

/** Where characters go now; undefined when nothing takes text. */
export function focusedTextInput(app: Pick<App, 'screen'>): 'picker' | 'filter' | 'composer' | undefined {
  const {screen} = app;
  if (screen.overlays.length > 0) {
    const open = openedPicker(app);
    return open === undefined || open.picker.isMenu === true ? undefined : 'picker';
  }
  if (listBeingFiltered(screen) !== undefined) return 'filter';
  return screen.focus === 'composer' ? 'composer' : undefined;
}

/** False when nothing takes text now. */
export function typeIntoFocusedInput(app: App, text: string): boolean {
  switch (focusedTextInput(app)) {
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
export function editFocusedField(app: App, keyName: string): boolean {
  const edit = lineEditingKeys.get(keyName);
  const place = focusedTextInput(app);
  if (edit === undefined || (place !== 'picker' && place !== 'filter')) return false;
  if (place === 'picker') changePickerField(app, edit);
  else changeFilter(app, edit);
  return true;
}

/** Pastes never send and never act: outside of text they are refused with a word. */
export function pasteIntoFocusedInput(app: App, text: string): void {
  if (focusedTextInput(app) === 'composer') pasteIntoComposer(app, text);
  else if (!typeIntoFocusedInput(app, text.replaceAll(/\s+/g, ' '))) {
    app.toast(
      'Pasted text goes into the composer: r replies, c begins a topic, x writes to somebody.',
      'warning',
    );
  }
}
