import {deepEqual} from '#std/deep-equal.ts';
import {memoizeLast} from '#std/memo.ts';
import type {App} from '#ui/core/app.ts';
import type {
  Form,
  FormAction,
  FormEdits,
  FormField,
  FormState,
  FormValue,
  FormValues,
  ValueFormField,
} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {emptyField, emptyLine, setText, type TextField} from '#ui/text/text-field.ts';
import {type GroupSetting, sameGroupSetting} from '#wire/objects/group-setting.ts';
import {isTypedField, shownText, understoodText, valueProblem} from './field-text.ts';

/** A row of a form: a field, a title, or something to do. */
export type FormRow =
  | FieldRow
  | {readonly key: string; readonly kind: 'section'; readonly field: Extract<FormField, {kind: 'section'}>}
  | {readonly key: string; readonly kind: 'action'; readonly action: FormAction};

export interface FieldRow {
  readonly key: string;
  readonly kind: 'field';
  readonly field: ValueFormField;
  readonly value: FormValue | undefined;
  /** What the user typed, or the value as text; empty when there is none. */
  readonly text: string;
  readonly isChanged: boolean;
  /** Whether it was changed at all, also to something that is not saved. */
  readonly isEdited: boolean;
  /** Why the field cannot be saved. */
  readonly problem: string | undefined;
  /** How the text was understood, where that is not obvious. */
  readonly understood: string | undefined;
}

/** What a form contains now: its rows and values, derived from the record and the unsaved changes. */
export interface FormView {
  readonly form: Form;
  readonly initial: FormValues;
  readonly values: FormValues;
  readonly edits: FormEdits;
  readonly rows: readonly FormRow[];
  /** The fields whose changes would be saved. */
  readonly changed: readonly ValueFormField[];
}

const noEdits: FormEdits = {};

/** Returns the contents of a form, made once per frame. */
export const formView: (frame: Frame, form: Form) => FormView = memoizeLast(computeView);

function computeView(frame: Frame, form: Form): FormView {
  const initial = form.initial(frame);
  const edits = frame.screen.formEdits.get(form.id) ?? noEdits;
  const edited = Object.entries(edits).map(([key, {value}]) => [key, value] as const);
  const values: FormValues = {...initial, ...Object.fromEntries(edited)};
  const rows = form.fields(frame, values).map((field, at): FormRow => {
    if (field.kind === 'section') return {key: `section ${at}`, kind: 'section', field};
    const {key, disabled, isUnsaved} = field;
    const [edit, value] = [edits[key], values[key]];
    const canChange = edit !== undefined && disabled === undefined && isUnsaved !== true;
    return {
      key,
      kind: 'field',
      field,
      value,
      text: edit?.text ?? shownText(frame, field, value),
      isChanged: canChange && (edit.problem !== undefined || !sameValue(edit.value, initial[key])),
      isEdited: edit !== undefined,
      problem: disabled === undefined ? (edit?.problem ?? valueProblem(frame, field, values)) : undefined,
      understood: understoodText(frame, field, value),
    };
  });
  const changed = rows.flatMap((row) => (row.kind === 'field' && row.isChanged ? [row.field] : []));
  const actions = [...(form.actions?.(frame, values) ?? []), ...ownActions(form, Object.keys(edits).length > 0)];
  const actionRows = actions.map((action): FormRow => ({key: `action ${action.id}`, kind: 'action', action}));
  return {form, initial, values, edits, rows: [...rows, ...actionRows], changed};
}

/** The rows that every form has. The form's commands carry them out. */
function ownActions({saveLabel = 'Save'}: Form, hasEdits: boolean): readonly FormAction[] {
  const run = () => {};
  const discard: FormAction = {id: 'discard', label: 'Discard changes', run};
  return [...(hasEdits ? [discard] : []), {id: 'save', label: saveLabel, run}];
}

/** Compares two values of a field; lists of ids as sets. */
export function sameValue(a: FormValue | undefined, b: FormValue | undefined): boolean {
  if (isGroupSetting(a) && isGroupSetting(b)) return sameGroupSetting(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return deepEqual(a.toSorted(byNumber), b.toSorted(byNumber));
  return deepEqual(a, b);
}

function byNumber(a: number, b: number): number {
  return a - b;
}

export function isGroupSetting(value: FormValue | undefined): value is GroupSetting {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && 'direct_members' in value);
}

export function openedForm({screen}: Pick<App, 'screen'>): FormState | undefined {
  const top = screen.overlays.at(-1);
  return top?.kind === 'form' ? top : undefined;
}

/** Returns the row with the focus. A field that is no longer shown has lost it to the first row. */
export function focusedRow({rows}: FormView, {focus}: FormState): FormRow | undefined {
  return rows.find(({key}) => key === focus) ?? rows.find(isFocusable);
}

export function isFocusable({kind}: FormRow): boolean {
  return kind !== 'section';
}

/** Returns the field with the focus; undefined when an action has it. */
export function focusedField(view: FormView, open: FormState): ValueFormField | undefined {
  const row = focusedRow(view, open);
  return row?.kind === 'field' ? row.field : undefined;
}

/** Returns the text and cursor of the focused field; undefined if it is not typed. */
export function focusedInput(view: FormView, open: FormState): TextField | undefined {
  const row = focusedRow(view, open);
  if (row?.kind !== 'field' || !isTypedField(row.field)) return undefined;
  if (open.input?.text === row.text) return open.input;
  return setText(row.field.kind === 'text' && row.field.isMultiline === true ? emptyField : emptyLine, row.text);
}
