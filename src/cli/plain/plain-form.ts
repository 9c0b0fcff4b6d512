import type {App} from '#ui/core/app.ts';
import type {FormState, FormValue, ValueFormField} from '#ui/core/form.ts';
import {activateFormRow, changeFormText, toggleOrOpen} from '#ui/forms/edit-form.ts';
import {type FormRow, formView, isTypedField, openedForm} from '#ui/forms/form-view.ts';
import {discardFormChanges, focusFormRow, saveForm, setFieldValue} from '#ui/forms/open-form.ts';
import {clear, insert} from '#ui/text/text-field.ts';
import {plainTitle} from './plain-text.ts';
import {waitUntil} from './write-and-send.ts';

/** The time to wait for the server's response before the prompt returns. */
const responseTimeoutMs = 5000;

/** Returns the form as numbered lines, and how to answer. */
export function plainFormLines(app: App, {form, progress}: FormState): readonly string[] {
  const view = formView(app.frame, form);
  let number = 0;
  const rows = view.rows.map((row) =>
    row.kind === 'section' ? `${row.field.label}:` : `${++number}. ${rowText(row)}`,
  );
  const refusal = progress.kind === 'refused' ? [`Not saved: ${progress.reason}`] : [];
  const changes = view.changed.map(({label}) => label.toLowerCase()).join(', ');
  return [
    `${plainTitle(form.title)}:`,
    ...rows,
    ...(changes === '' ? [] : [`Unsaved changes: ${changes}`]),
    ...refusal,
    'Type a number and a value (“1 new name”), a number for choices, “save”, “discard” or “back”.',
  ];
}

function rowText(row: Exclude<FormRow, {kind: 'section'}>): string {
  if (row.kind === 'action')
    return row.action.disabled === undefined ? row.action.label : `${row.action.label} (${row.action.disabled})`;
  const {field, text} = row;
  const isSecret = field.kind === 'text' && field.isSecret === true;
  const value = isSecret && text !== '' ? '(hidden)' : text.replaceAll('\n', ' / ');
  const notes = [row.isChanged ? 'changed' : undefined, field.disabled].filter((note) => note !== undefined);
  const result = field.result === undefined ? '' : ` · ${field.result.replaceAll('\n', ' · ')}`;
  return `${field.label}: ${value === '' ? 'none' : value}${result}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

/** Handles a line while a form is open. Returns a text to print in place of the form. */
export async function answerForm(app: App, open: FormState, line: string): Promise<string | undefined> {
  const word = line.toLowerCase();
  if (word === 'save') {
    saveForm(app);
    await savingEnds(app);
    return undefined;
  }
  if (word === 'discard') {
    discardFormChanges(app);
    return undefined;
  }
  const [, number, text = ''] = /^(\d+)\s*(.*)$/s.exec(line) ?? [];
  const rows = formView(app.frame, open.form).rows.filter(({kind}) => kind !== 'section');
  const row = rows[Number(number) - 1];
  if (row === undefined)
    return number === undefined ? 'Type a number first, or “save” or “back”.' : 'No entry has this number.';
  focusFormRow(app, row.key);
  if (row.kind === 'field' && row.field.disabled !== undefined) return row.field.disabled;
  if (row.kind === 'field' && text !== '') return setFromText(app, open, row.field, text);
  if (row.kind === 'field' && isTypedField(row.field) && row.field.kind !== 'color')
    return row.field.help ?? `Type “${number} ” and the new value.`;
  if (row.kind === 'field' && row.field.kind === 'switch') toggleOrOpen(app);
  else activateFormRow(app);
  await savingEnds(app);
  return undefined;
}

/** Sets a field from a typed value. Returns the reason if it is not understood. */
function setFromText(app: App, {form}: FormState, field: ValueFormField, text: string): string | undefined {
  if (isTypedField(field)) {
    changeFormText(app, (input) => insert(clear(input), text === '-' ? '' : text));
    return formView(app.frame, form).edits[field.key]?.problem;
  }
  const value = valueFromWord(field, text);
  if (value !== undefined) {
    setFieldValue(app, form, field.key, value);
    return undefined;
  }
  if (field.kind === 'switch') return 'Type on or off.';
  toggleOrOpen(app, text);
  return undefined;
}

function valueFromWord(field: ValueFormField, text: string): FormValue | undefined {
  if (field.kind === 'switch') {
    if (/^(?:on|yes|y|true)$/i.test(text)) return true;
    return /^(?:off|no|n|false)$/i.test(text) ? false : undefined;
  }
  if (field.kind !== 'choice') return undefined;
  const offered = field.choices.filter(({disabled}) => disabled === undefined);
  const typed = text.toLowerCase();
  const found =
    offered.find(({label}) => label.toLowerCase() === typed) ??
    offered.find(({label}) => label.toLowerCase().startsWith(typed));
  return found?.value;
}

/** Waits until the form is no longer being saved, but not forever. */
function savingEnds(app: App): Promise<void> {
  const isDone = () => openedForm(app)?.progress.kind !== 'saving';
  return waitUntil(isDone, (check) => app.frames.subscribe(check), app.clock, responseTimeoutMs);
}
