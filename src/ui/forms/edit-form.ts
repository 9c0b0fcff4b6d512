import {type Key, keyName} from '#terminal/input/key.ts';
import type {App} from '#ui/core/app.ts';
import type {FormValue} from '#ui/core/form.ts';
import {moveBeside, moveDown, moveUp, newline, type TextField} from '#ui/text/text-field.ts';
import {fieldOrder, layoutText} from '#ui/text/text-layout.ts';
import {openFieldPicker} from './field-pickers.ts';
import {formRowAt, laidOutForm} from './form-layout.ts';
import {
  editableText,
  focusedField,
  focusedInput,
  focusedRow,
  formView,
  idsOf,
  isTypedField,
  openedForm,
  readTypedText,
} from './form-view.ts';
import {membersOf, settingOfMembers} from './group-setting-text.ts';
import {changeForm, focusFormRow, moveFormFocus, runFormAction, setFieldEdit, setFieldValue} from './open-form.ts';

/** Returns the focused field if it can be changed; otherwise a toast says why not. */
function changeableField(app: App) {
  const open = openedForm(app);
  if (open === undefined || open.progress.kind === 'saving') return undefined;
  const view = formView(app.frame, open.form);
  const field = focusedField(view, open);
  if (field === undefined) return undefined;
  if (app.warn(field.disabled)) return undefined;
  return {open, view, field};
}

/** Whether typed characters go into the focused field of the form. */
export function isTypingInForm(app: Pick<App, 'screen' | 'frame'>): boolean {
  const open = openedForm(app);
  const field = open === undefined ? undefined : focusedField(formView(app.frame, open.form), open);
  return field !== undefined && isTypedField(field);
}

/** Changes the text of the focused field, or moves the cursor in it. */
export function changeFormText(app: App, change: (field: TextField) => TextField): void {
  const found = changeableField(app);
  const before = found === undefined ? undefined : focusedInput(found.view, found.open);
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
  const open = openedForm(app);
  if (open === undefined) return;
  const view = formView(app.frame, open.form);
  const field = focusedField(view, open);
  const input = focusedInput(view, open);
  if (field?.kind === 'text' && field.isMultiline === true && input !== undefined) {
    const layout = layoutText(
      input.text,
      laidOutForm(app.frame, open).valueColumns,
      undefined,
      fieldOrder(app.frame.display),
    );
    const moved = step === 1 ? moveDown(input, layout) : moveUp(input, layout);
    if (moved !== input) {
      changeForm(app, {input: moved});
      return;
    }
  }
  moveFormFocus(app, step);
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
  if (field.kind === 'switch') setFieldValue(app, open.form, field.key, step === 1);
  if (field.kind !== 'choice') return;
  const choices = field.choices.filter(
    ({value, disabled}) => disabled === undefined || value === view.values[field.key],
  );
  const at = choices.findIndex(({value}) => value === view.values[field.key]);
  const next = choices[(at + step + choices.length) % choices.length];
  if (next !== undefined) setFieldValue(app, open.form, field.key, next.value);
}

/** Handles Enter: goes on from a text, opens the choices of a field, or runs an action. */
export function activateFormRow(app: App): void {
  const open = openedForm(app);
  if (open === undefined) return;
  const row = focusedRow(formView(app.frame, open.form), open);
  if (row?.kind === 'action') runFormAction(app, row.action);
  else if (row?.kind === 'field' && row.field.kind === 'text' && row.field.isMultiline === true)
    changeFormText(app, newline);
  else if (row?.kind === 'field' && isTypedField(row.field) && row.field.kind !== 'color') moveFormFocus(app, 1);
  else toggleOrOpen(app);
}

/** Toggles a switch, or opens the choices of a field. */
export function toggleOrOpen(app: App, query = ''): void {
  const open = openedForm(app);
  const row = open === undefined ? undefined : focusedRow(formView(app.frame, open.form), open);
  if (row?.kind === 'action') {
    runFormAction(app, row.action);
    return;
  }
  const found = changeableField(app);
  if (found === undefined) return;
  const {field, view} = found;
  if (field.kind === 'switch') setFieldValue(app, found.open.form, field.key, view.values[field.key] !== true);
  else openFieldPicker(app, found.open.form, field, query);
}

/** Handles Backspace where nothing is typed: removes the last of several people, groups or channels. */
export function removeLastEntry(app: App): void {
  const found = changeableField(app);
  if (found === undefined) return;
  const {open, view, field} = found;
  const value: FormValue | undefined = view.values[field.key];
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
  const open = openedForm(app);
  if (open === undefined) return false;
  const view = formView(app.frame, open.form);
  const name = keyName(key);
  const row = view.rows.find((each) => each.kind === 'action' && each.action.key === name);
  if (row?.kind === 'action') {
    runFormAction(app, row.action);
    return true;
  }
  const field = focusedField(view, open);
  const isText = key.text !== undefined && key.ctrl !== true && key.alt !== true && key.name !== 'Space';
  if (!isText || field === undefined || isTypedField(field) || field.kind === 'switch') return false;
  toggleOrOpen(app, key.text ?? '');
  return true;
}

/** Handles a click: focuses a row; a click on an action, or on the row with the focus, activates it. */
export function clickForm(app: App, y: number): void {
  const open = openedForm(app);
  const key = open === undefined ? undefined : formRowAt(app.frame, open, y);
  if (open === undefined || key === undefined) return;
  const row = formView(app.frame, open.form).rows.find((each) => each.key === key);
  const hadFocus = open.focus === key;
  focusFormRow(app, key);
  const isTyped = row?.kind === 'field' && isTypedField(row.field);
  if (row?.kind === 'action' || (hadFocus && !isTyped)) activateFormRow(app);
}
