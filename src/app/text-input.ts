import {pasteIntoComposer, typeIntoComposer} from '#app/composer/type-into-composer.ts';
import type {App} from '#app/core/app.ts';
import {changeFormText, isTypingInForm} from '#app/forms/edit-form.ts';
import {changeFilter} from '#app/lists/change-list.ts';
import {changePickerField} from '#app/overlays/picker.ts';
import {withoutControls} from '#std/printable.ts';
import {openedForm} from '#ui/forms/form-view.ts';
import {listBeingFiltered} from '#ui/lists/visible-rows.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {safePastedText} from '#ui/text/paste.ts';
import {
  deleteForward,
  insert,
  killToEnd,
  killWord,
  killWordBack,
  moveBeside,
  moveEnd,
  moveHome,
  moveWordLeft,
  moveWordRight,
  redo,
  type TextField,
  undo,
  yank,
} from '#ui/text/text-field.ts';

/** Returns the text input that receives typed characters now; undefined when there is none. */
export function focusedTextInput(
  app: Pick<App, 'screen' | 'frame'>,
): 'picker' | 'filter' | 'form' | 'composer' | undefined {
  const {screen} = app;
  if (screen.overlays.length > 0) {
    if (openedForm(app) !== undefined) return isTypingInForm(app) ? 'form' : undefined;
    const open = openedPicker(app);
    return open === undefined || open.picker.isMenu === true ? undefined : 'picker';
  }
  if (listBeingFiltered(screen) !== undefined) return 'filter';
  return screen.focus === 'composer' ? 'composer' : undefined;
}

/** Types into the focused text input; returns false when there is none. */
export function typeIntoFocusedInput(app: App, text: string): boolean {
  switch (focusedTextInput(app)) {
    case 'picker':
      changePickerField(app, (field) => insert(field, text));
      return true;
    case 'filter':
      changeFilter(app, (field) => insert(field, text));
      return true;
    case 'form':
      changeFormText(app, (field) => insert(field, text));
      return true;
    case 'composer':
      typeIntoComposer(app, text);
      return true;
    default:
      return false;
  }
}

/**
 * Applies a line-editing key to a focused one-line field; returns false for another key or without such a
 * field. The composer handles its own keys.
 */
export function editFocusedField(app: App, keyName: string): boolean {
  const step = sidewaysKeys.get(keyName);
  const edit =
    step === undefined
      ? lineEditingKeys.get(keyName)
      : (field: TextField) => moveBeside(field, step, app.frame.display.bidi);
  const input = focusedTextInput(app);
  if (edit === undefined || input === undefined || input === 'composer') return false;
  if (input === 'picker') changePickerField(app, edit);
  else if (input === 'form') changeFormText(app, edit);
  else changeFilter(app, edit);
  return true;
}

/**
 * Pastes into the focused text input. A paste never sends and never runs commands: without a text input it is
 * refused with a toast.
 */
export function pasteIntoFocusedInput(app: App, text: string, isTruncated = false): void {
  const input = focusedTextInput(app);
  if (input === undefined) {
    app.toast('Open the composer before pasting: r reply, c new topic, x direct message.', 'warning');
    return;
  }
  if (input === 'composer') pasteIntoComposer(app, text);
  else if (input === 'form') changeFormText(app, (field) => insert(field, safePastedText(text)));
  else typeIntoFocusedInput(app, withoutControls(text).replaceAll(/\s+/g, ' '));
  if (isTruncated) app.toast('The paste is too long: only its first 8 MiB were inserted', 'warning');
}

/** The keys that move by a character on the screen. */
const sidewaysKeys: ReadonlyMap<string, 1 | -1> = new Map([
  ['Left', -1],
  ['Right', 1],
  ['Ctrl-F', 1],
]);

/** The usual editing keys of a one-line field, for keys that no command uses. */
const lineEditingKeys: ReadonlyMap<string, (field: TextField) => TextField> = new Map([
  ['Home', moveHome],
  ['Ctrl-A', moveHome],
  ['End', moveEnd],
  ['Ctrl-E', moveEnd],
  ['Alt-b', moveWordLeft],
  ['Ctrl-Left', moveWordLeft],
  ['Alt-Left', moveWordLeft],
  ['Alt-f', moveWordRight],
  ['Ctrl-Right', moveWordRight],
  ['Alt-Right', moveWordRight],
  ['Delete', deleteForward],
  ['Ctrl-D', deleteForward],
  ['Alt-d', killWord],
  ['Alt-Backspace', killWordBack],
  ['Ctrl-K', killToEnd],
  ['Ctrl-Y', yank],
  ['Ctrl-_', undo],
  ['Alt-_', redo],
]);
