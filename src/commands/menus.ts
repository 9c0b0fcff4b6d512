import type {KeyEvent} from '#terminal/input/input-events.ts';
import type {App} from '#ui/core/app.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {
  activateFormRow,
  changeFormText,
  changeSideways,
  isTypingInForm,
  removeLastEntry,
  stepInForm,
  toggleOrOpen,
} from '#ui/forms/edit-form.ts';
import {openedForm} from '#ui/forms/form-view.ts';
import {closeAndKeepForm, discardFormChanges, moveFormFocus, saveForm} from '#ui/forms/open-form.ts';
import {openRow, setListCursor} from '#ui/lists/move-in-list.ts';
import {changeFilter, clearFilter, closeFilterInput, cursorRow, listBeingFiltered} from '#ui/lists/visible-rows.ts';
import {moveCursor} from '#ui/navigation/move-cursor.ts';
import {scrollCard} from '#ui/overlays/cards.ts';
import {
  acceptPickerRow,
  canChoose,
  changePickerField,
  movePicker,
  openedPicker,
  pickerRows,
} from '#ui/overlays/picker.ts';
import {backspace, clear, killWordBack, type TextField} from '#ui/text/text-field.ts';
import {type Command, command} from './command.ts';

const menuCommand: typeof command = (id, title, run, more) =>
  command(id, title, run, {contexts: ['menu'], isKeyOnly: true, ...more});

/** Returns the list whose filter has the keys: not one that is covered by an overlay. */
function activeFilterList({screen}: App) {
  return screen.overlays.length > 0 ? undefined : listBeingFiltered(screen);
}

function changeField(app: App, change: (field: TextField) => TextField): void {
  if (activeFilterList(app) !== undefined) changeFilter(app, change);
  else if (openedForm(app) !== undefined) changeFormText(app, change);
  else changePickerField(app, change);
}

/** Deletes a character; on a field of a form with several entries, the last of them. */
function eraseBack(app: App): void {
  if (openedForm(app) !== undefined && !isTypingInForm(app)) removeLastEntry(app);
  else changeField(app, backspace);
}

function step(app: App, by: 1 | -1): void {
  if (openedPicker(app) !== undefined) movePicker(app, by);
  else if (app.screen.overlays.length > 0) scrollCard(app, by);
  else moveCursor(app, {by: 'item', step: by});
}

/** Opens the row under the cursor of a filtered list and clears the filter. */
function openFiltered(app: App): void {
  const id = activeFilterList(app);
  const row = id === undefined ? undefined : cursorRow(app.frame, id);
  if (id === undefined || row === undefined) return;
  clearFilter(app, id);
  setListCursor(app, id, row.key);
  openRow(app, id, row);
}

function accept(app: App, press: KeyEvent | undefined): void {
  const acceptKey = press?.key.name === 'Tab' ? 'tab' : 'enter';
  if (activeFilterList(app) === undefined) acceptPickerRow(app, acceptKey);
  else if (acceptKey === 'tab') closeFilterInput(app);
  else openFiltered(app);
}

/** Whether there is a row to choose. */
function canAccept(app: AppReader): boolean {
  const open = openedPicker(app);
  if (open !== undefined) return canChoose(pickerRows(app.frame, open), open.cursor);
  const id = listBeingFiltered(app.screen);
  return id !== undefined && cursorRow(app.frame, id) !== undefined;
}

function close(app: App): void {
  if (app.screen.overlays.length > 0) app.closeOverlay();
  else clearFilter(app);
}

const inForms = {contexts: ['menu', 'form']} as const;

export const menuCommands: readonly Command[] = [
  menuCommand('menu.up', 'Previous entry', (app) => step(app, -1)),
  menuCommand('menu.down', 'Next entry', (app) => step(app, 1)),
  menuCommand('menu.accept', 'Choose entry', accept, {
    hint: 'choose',
    hints: {menu: 1},
    hasEffect: canAccept,
  }),
  menuCommand('menu.close', 'Close menu', close, {hint: 'close', hints: {menu: 2, 'menu card': 1}}),
  menuCommand('menu.clear', 'Clear text', (app) => changeField(app, clear), inForms),
  menuCommand('menu.delword', 'Delete previous word', (app) => changeField(app, killWordBack), inForms),
  menuCommand('menu.backspace', 'Delete previous character', eraseBack, inForms),
];

const formCommand: typeof command = (id, title, run, more) =>
  command(id, title, run, {contexts: ['form'], isKeyOnly: true, ...more});

export const formCommands: readonly Command[] = [
  formCommand(
    'form.next',
    'Next field',
    (app, press) => (press?.key.name === 'Tab' ? moveFormFocus(app, 1) : stepInForm(app, 1)),
    {hint: 'next', hints: {form: 2}},
  ),
  formCommand('form.prev', 'Previous field', (app, press) =>
    press?.key.name === 'Tab' ? moveFormFocus(app, -1) : stepInForm(app, -1),
  ),
  formCommand('form.activate', 'Choose, or go to the next field', activateFormRow, {hint: 'choose', hints: {form: 3}}),
  formCommand('form.toggle', 'Turn on or off, or show the choices', (app) => toggleOrOpen(app)),
  formCommand('form.left', 'Previous choice, or move left', (app) => changeSideways(app, -1)),
  formCommand('form.right', 'Next choice, or move right', (app) => changeSideways(app, 1)),
  formCommand('form.save', 'Save the form', saveForm, {aliases: ['submit'], hint: 'save', hints: {form: 1}}),
  formCommand('form.discard', 'Discard unsaved changes', discardFormChanges, {
    aliases: ['revert', 'reset'],
    hint: 'discard',
    hints: {form: 5},
  }),
  formCommand('form.close', 'Close the form; changes are kept', closeAndKeepForm, {hint: 'close', hints: {form: 4}}),
];
