import {deepEqual} from '#std/deep-equal.ts';
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
import {editableText, isTypedField, valueProblem} from './field-text.ts';

/** A row of a form: a field, a title, or something to do. */
export type FormRow =
  | {readonly key: string; readonly kind: 'field'; readonly field: ValueFormField; readonly isChanged: boolean}
  | {readonly key: string; readonly kind: 'section'; readonly field: Extract<FormField, {kind: 'section'}>}
  | {readonly key: string; readonly kind: 'action'; readonly action: FormAction};

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

export const saveRowKey = 'action save';
export const discardRowKey = 'action discard';

const noEdits: FormEdits = {};
const views = new WeakMap<Frame, Map<Form, FormView>>();

/** Returns the contents of a form, cached per frame. */
export function formView(frame: Frame, form: Form): FormView {
  let byForm = views.get(frame);
  if (byForm === undefined) {
    byForm = new Map();
    views.set(frame, byForm);
  }
  let view = byForm.get(form);
  if (view === undefined) {
    view = computeView(frame, form);
    byForm.set(form, view);
  }
  return view;
}

function computeView(frame: Frame, form: Form): FormView {
  const initial = form.initial(frame);
  const edits = frame.screen.formEdits.get(form.id) ?? noEdits;
  const edited = Object.entries(edits).map(([key, {value}]) => [key, value] as const);
  const values: FormValues = {...initial, ...Object.fromEntries(edited)};
  const isChanged = ({key, disabled, isUnsaved}: ValueFormField): boolean => {
    const edit = edits[key];
    if (edit === undefined || disabled !== undefined || isUnsaved === true) return false;
    return edit.problem !== undefined || !sameValue(edit.value, initial[key]);
  };
  const rows = form.fields(frame, values).map((field, at): FormRow => {
    if (field.kind === 'section') return {key: `section ${at}`, kind: 'section', field};
    return {key: field.key, kind: 'field', field, isChanged: isChanged(field)};
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

/** Returns why a field cannot be saved; undefined when it can. */
export function fieldProblem(frame: Frame, {values, edits}: FormView, field: ValueFormField): string | undefined {
  if (field.disabled !== undefined) return undefined;
  return edits[field.key]?.problem ?? valueProblem(frame, field, values);
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
export function focusedInput(frame: Frame, view: FormView, open: FormState): TextField | undefined {
  const field = focusedField(view, open);
  if (field === undefined || !isTypedField(field)) return undefined;
  const text = typedText(frame, view, field);
  if (open.input?.text === text) return open.input;
  return setText(field.kind === 'text' && field.isMultiline === true ? emptyField : emptyLine, text);
}

/** Returns the text of a typed field: what the user typed, or the record's value. */
export function typedText(frame: Frame, {edits, initial}: FormView, field: ValueFormField): string {
  return edits[field.key]?.text ?? editableText(frame, field, edits[field.key]?.value ?? initial[field.key]);
}
