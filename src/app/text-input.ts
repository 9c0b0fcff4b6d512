import type {App} from '#app/core/app.ts';
import type {TextInput} from '#app/core/part-input.ts';
import {withoutControls} from '#std/printable.ts';
import {
  deleteForward,
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
import {overlayInput} from './overlay-input.ts';
import {paneInputs} from './part-inputs.ts';

/** Returns the text that receives typed characters now; undefined when there is none. */
function focusedText(app: Pick<App, 'screen' | 'frame'>): TextInput | undefined {
  const texts = app.screen.overlays.length > 0 ? overlayTexts : paneTexts;
  return texts.find((text) => text.isTyped(app));
}

const overlayTexts: readonly TextInput[] = overlayInput.texts ?? [];
/** Each once: all lists have the same text. */
const paneTexts: readonly TextInput[] = [...new Set(paneInputs.flatMap(({texts = []}) => texts))];

/** Returns the kind of text that is typed now; undefined when there is none. */
export function focusedTextInput(app: Pick<App, 'screen' | 'frame'>): TextInput['kind'] | undefined {
  return focusedText(app)?.kind;
}

/** Types into the focused text; returns false when there is none. */
export function typeIntoFocusedInput(app: App, text: string): boolean {
  const input = focusedText(app);
  input?.insert(app, text);
  return input !== undefined;
}

/** Applies a line-editing key to a focused field; returns false for another key or without such a field. */
export function editFocusedField(app: App, keyName: string): boolean {
  const step = sidewaysKeys.get(keyName);
  const edit =
    step === undefined
      ? lineEditingKeys.get(keyName)
      : (field: TextField) => moveBeside(field, step, app.frame.display.bidi);
  const input = focusedText(app);
  if (edit === undefined || input?.edit === undefined) return false;
  input.edit(app, edit);
  return true;
}

/**
 * Pastes into the focused text. A paste never sends and never runs commands: without such a text it is
 * refused with a toast.
 */
export function pasteIntoFocusedInput(app: App, text: string, isTruncated = false): void {
  const input = focusedText(app);
  if (input === undefined) {
    app.toast('Open the composer before pasting: r reply, c new topic, x direct message.', 'warning');
    return;
  }
  if (input.paste !== undefined) input.paste(app, text);
  else input.insert(app, withoutControls(text).replaceAll(/\s+/g, ' '));
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
