import {changeMessageText, setComposer} from '#app/composer/change-composer.ts';
import {pressSend} from '#app/composer/composer-keys.ts';
import {closeComposer, saveTextAsDraft} from '#app/composer/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {activateFormRow, changeFormText, toggleOrOpen} from '#app/forms/edit-form.ts';
import {discardFormChanges, focusFormRow, saveForm, setFieldValue} from '#app/forms/open-form.ts';
import type {Clock} from '#std/clock.ts';
import {destinationTitle} from '#ui/composer/destination.ts';
import type {FormState, FormValue, ValueFormField} from '#ui/core/form.ts';
import {type FormRow, formView, isTypedField, openedForm} from '#ui/forms/form-view.ts';
import {clear, insert} from '#ui/text/text-field.ts';
import {plainTitle} from './message-reader.ts';

/** The time to wait for the server's response before the prompt returns. */
const savingTimeoutMs = 5000;

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
  return waitUntil(isDone, (check) => app.frames.subscribe(check), app.clock, savingTimeoutMs);
}

/** Prints lines and asks for lines. */
export interface LineDialog {
  readonly print: (text: string) => void;
  /** Prompts and returns a line, or undefined at the end of the input. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

/** The time to wait for the server's response to a message before reporting it as pending. */
const responseTimeoutMs = 3000;

/** Puts text into the open composer and sends it. Without text, it reads lines until one is a single dot. */
export async function writeAndSend(app: App, argument: string, {print, ask}: LineDialog): Promise<void> {
  const where = plainTitle(destinationTitle(app.state, app.screen.composer.target));
  const {text, isComplete} = argument === '' ? await readMessage(where, ask) : {text: argument, isComplete: true};
  if (text.trim() === '') {
    closeComposer(app);
    print('Nothing was sent.');
    return;
  }
  if (app.screen.composer.field.text !== '') stashExistingText(app);
  changeMessageText(app, (field) => insert(field, text));
  if (!isComplete) {
    closeComposer(app);
    print('Not sent. Saved as a draft.');
    return;
  }
  const outboxLength = app.state.outbox.length;
  pressSend(app);
  while (hasWarnings(app)) {
    const {warnings} = app.screen.composer;
    for (const warning of warnings) print(warning.text);
    const isBlocked = warnings.some(({isBlocking}) => isBlocking);
    if (isBlocked || !isYes(await ask('Send anyway? (yes or no) '))) {
      closeComposer(app);
      print('Not sent. Saved as a draft.');
      return;
    }
    pressSend(app);
  }
  if (app.screen.focus === 'composer') closeComposer(app);
  if (app.screen.composer.field.text === text) return;
  const isSent = await leftOutbox(app, outboxLength);
  print(isSent ? `Sent to ${where}.` : `Not sent to ${where} yet. It is in the outbox until the server has it.`);
}

/** Waits briefly and returns whether the message has left the outbox. */
async function leftOutbox(app: App, outboxLength: number): Promise<boolean> {
  const hasLeft = () => app.state.outbox.length <= outboxLength;
  const isDone = () => hasLeft() || app.state.connection.phase !== 'online';
  const subscribe = (check: () => void) => app.session.cache.subscribe(['outbox', 'connection'], check);
  await waitUntil(isDone, subscribe, app.clock, responseTimeoutMs);
  return hasLeft();
}

/** Waits until the condition holds, which is checked with each change, but no longer than `maxMs`. */
async function waitUntil(
  isDone: () => boolean,
  subscribe: (check: () => void) => () => void,
  clock: Clock,
  maxMs: number,
): Promise<void> {
  const {promise, resolve} = Promise.withResolvers<void>();
  const check = () => {
    if (isDone()) resolve();
  };
  const unsubscribe = subscribe(check);
  const cancel = clock.after(maxMs, resolve);
  check();
  await promise;
  cancel();
  unsubscribe();
}

/** Saves the text that was already in the composer as a separate draft; the action after sending stays. */
function stashExistingText(app: App): void {
  const {onSent, anchor} = app.screen.composer;
  saveTextAsDraft(app);
  setComposer(app, {onSent, anchor});
}

function hasWarnings({screen}: App): boolean {
  return screen.composer.warnings.length > 0 && screen.composer.field.text !== '';
}

function isYes(answer: string | undefined): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}

/** Reads the lines of a message. It is complete if the user ended it with a dot; what ends with the input is not sent. */
async function readMessage(where: string, ask: LineDialog['ask']) {
  const written: string[] = [];
  let question = `To ${where}. End the message with a line that contains only a dot; a dot alone cancels.\n`;
  for (;;) {
    const line = await ask(question);
    question = '';
    if (line === undefined || line === '.') return {text: written.join('\n'), isComplete: line !== undefined};
    written.push(line);
  }
}
