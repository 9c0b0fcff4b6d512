import type {App} from '#app/core/app.ts';
import {type Key, keyName} from '#terminal/input/key.ts';
import {formRowAt, laidOutForm} from '#ui/forms/form-lines.ts';
import {
  editableText,
  focusedInput,
  idsOf,
  isMultiline,
  isTypedField,
  openFormView,
  readTypedText,
} from '#ui/forms/form-view.ts';
import {settingOfMembers} from '#ui/forms/permission-fields.ts';
import {moveBeside, moveDown, moveUp, newline, type TextField} from '#ui/text/text-field.ts';
import {fieldOrder, layoutText} from '#ui/text/text-layout.ts';
import {membersOf} from '#wording/group-names.ts';
import {openFieldPicker} from './field-pickers.ts';
import {changeForm, focusFormRow, moveFormFocus, runFormAction, setFieldEdit, setFieldValue} from './open-form.ts';

/** Returns the focused field if it can be changed; otherwise a toast says why not. */
function changeableField(app: App) {
  const found = openFormView(app);
  if (found?.field === undefined || found.open.progress.kind === 'saving') return undefined;
  return app.warn(found.field.disabled) ? undefined : {...found, field: found.field};
}

/** Whether typed characters go into the focused field of the form. */
export function isTypingInForm(app: Pick<App, 'screen' | 'frame'>): boolean {
  const field = openFormView(app)?.field;
  return field !== undefined && isTypedField(field);
}

/** Changes the text of the focused field, or moves the cursor in it. */
export function changeFormText(app: App, change: (field: TextField) => TextField): void {
  const found = changeableField(app);
  const before = found && focusedInput(found.view, found.open);
  if (found === undefined || before === undefined) return;
  const {open, view, field} = found;
  const input = change(before);
  if (input.text !== before.text) {
    const initial = view.initial[field.key] ?? null;
    const isInitial = input.text === editableText(app.frame, field, initial);
    const last = view.values[field.key] ?? initial;
    setFieldEdit(app, open.form, field.key, isInitial ? undefined : readTypedText(app.frame, field, input.text, last));
  }
  changeForm(app, {input});
}

/** Handles Up and Down: they move in a text of several lines, and between fields. */
export function stepInForm(app: App, step: 1 | -1): void {
  const found = openFormView(app);
  const input = found && isMultiline(found.field) ? focusedInput(found.view, found.open) : undefined;
  if (found === undefined || input === undefined) {
    moveFormFocus(app, step);
    return;
  }
  const {valueColumns} = laidOutForm(app.frame, found.open);
  const layout = layoutText(input.text, valueColumns, undefined, fieldOrder(app.frame.display));
  const moved = step === 1 ? moveDown(input, layout) : moveUp(input, layout);
  if (moved === input) moveFormFocus(app, step);
  else changeForm(app, {input: moved});
}

/** Handles Left and Right: they move in a text, and change a choice or a switch. */
export function changeSideways(app: App, step: 1 | -1): void {
  if (isTypingInForm(app)) {
    changeFormText(app, (field) => moveBeside(field, step, app.frame.display.bidi));
    return;
  }
  const found = changeableField(app);
  if (found === undefined) return;
  const {open, view, field} = found;
  const current = view.values[field.key];
  if (field.kind === 'switch') setFieldValue(app, open.form, field.key, step === 1);
  if (field.kind !== 'choice') return;
  const choices = field.choices.filter(({value, disabled}) => disabled === undefined || value === current);
  const at = choices.findIndex(({value}) => value === current);
  const next = choices[(at + step + choices.length) % choices.length];
  if (next !== undefined) setFieldValue(app, open.form, field.key, next.value);
}

/** Handles Enter: goes on from a text, opens the choices of a field, or runs an action. */
export function activateFormRow(app: App): void {
  const field = openFormView(app)?.field;
  if (isMultiline(field)) changeFormText(app, newline);
  else if (field !== undefined && isTypedField(field) && field.kind !== 'color') moveFormFocus(app, 1);
  else toggleOrOpen(app);
}

/** Toggles a switch, opens the choices of a field, or runs an action. */
export function toggleOrOpen(app: App, query = ''): void {
  const row = openFormView(app)?.row;
  if (row?.kind === 'action') {
    runFormAction(app, row.action);
    return;
  }
  const found = changeableField(app);
  if (found === undefined) return;
  const {field, view, open} = found;
  if (field.kind === 'switch') setFieldValue(app, open.form, field.key, view.values[field.key] !== true);
  else openFieldPicker(app, open.form, field, query);
}

/** Handles Backspace where nothing is typed: removes the last of several people, groups or channels. */
export function removeLastEntry(app: App): void {
  const found = changeableField(app);
  if (found === undefined) return;
  const {open, view, field} = found;
  const value = view.values[field.key];
  if (field.kind === 'groupSetting') {
    const {groupIds, userIds} = membersOf(value);
    const shorter =
      userIds.length > 0 ? {groupIds, userIds: userIds.slice(0, -1)} : {groupIds: groupIds.slice(0, -1), userIds};
    const next = settingOfMembers(app.state, field, shorter);
    if (next !== undefined) setFieldValue(app, open.form, field.key, next);
  } else if (field.kind === 'people' || field.kind === 'groups' || field.kind === 'channels') {
    setFieldValue(app, open.form, field.key, idsOf(value).slice(0, -1));
  }
}

/** Handles the keys of the form's own actions, and text typed on a field with choices. Returns whether it did. */
export function pressInForm(app: App, key: Key): boolean {
  const found = openFormView(app);
  const action = found?.view.rows.find((row) => row.kind === 'action' && row.action.key === keyName(key));
  if (action?.kind === 'action') {
    runFormAction(app, action.action);
    return true;
  }
  const field = found?.field;
  const isText = key.text !== undefined && key.ctrl !== true && key.alt !== true && key.name !== 'Space';
  if (!isText || field === undefined || isTypedField(field) || field.kind === 'switch') return false;
  toggleOrOpen(app, key.text);
  return true;
}

/** Handles a click: focuses a row; a click on an action, or on the row with the focus, activates it. */
export function clickForm(app: App, y: number): void {
  const found = openFormView(app);
  const key = found && formRowAt(app.frame, found.open, y);
  if (found === undefined || key === undefined) return;
  const row = found.view.rows.find((each) => each.key === key);
  focusFormRow(app, key);
  const isTyped = row?.kind === 'field' && isTypedField(row.field);
  if (row?.kind === 'action' || (found.open.focus === key && !isTyped)) activateFormRow(app);
}
