import {channelName, distinctUserName} from '#state/selectors/names/names.ts';
import {unknownAccountReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {composed, joined} from '#std/composed-text.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {memoByObject} from '#std/memo.ts';
import {isoWithOffset, parseMoment, parsePastDay} from '#std/parse-moment.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {
  Form,
  FormAction,
  FormEdit,
  FormEdits,
  FormSection,
  FormState,
  FormValue,
  FormValues,
  IdsFormField,
  NumberFormField,
  ValueFormField,
} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {emptyField, emptyLine, setText, type TextField} from '#ui/text/text-field.ts';
import {type GroupSetting, sameGroupSetting} from '#wire/objects/group.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {groupLabel, groupSettingText} from '#wording/group-names.ts';
import {momentText} from '#wording/moment-text.ts';

/** A row of a form: a field, a title, or something to do. */
export type FormRow =
  | FieldRow
  | {readonly key: string; readonly kind: 'section'; readonly field: FormSection}
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
export const formView: (frame: Frame, form: Form) => FormView = memoByObject(computeView);

function computeView(frame: Frame, form: Form): FormView {
  const initial = form.initial(frame);
  const edits = frame.screen.formEdits.get(form.id) ?? noEdits;
  const edited = Object.entries(edits).map(([key, {value}]) => [key, value] as const);
  const values: FormValues = {...initial, ...Object.fromEntries(edited)};
  const refusal = form.disabledReason?.(frame, values);
  const disabledReason = refusal === undefined ? undefined : (unknownAccountReason(frame.account) ?? refusal);
  const rows = form.fields(frame, values).map((own, at): FormRow => {
    if (own.kind === 'section') return {key: `section ${at}`, kind: 'section', field: own};
    const field = disabledReason === undefined || own.isUnsaved ? own : {...own, disabled: disabledReason};
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
      understood: field.kind === 'date' && typeof value === 'number' ? momentText(frame, value) : undefined,
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
  return Array.isArray(a) && Array.isArray(b) ? deepEqual(a.toSorted(), b.toSorted()) : deepEqual(a, b);
}

function isGroupSetting(value: FormValue | undefined): value is GroupSetting {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && 'direct_members' in value);
}

export function openedForm({screen}: Pick<AppReader, 'screen'>): FormState | undefined {
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

/** Returns the open form, its contents, the row with the focus, and its field unless an action has the focus. */
export function openFormView(app: Pick<AppReader, 'screen' | 'frame'>) {
  const open = openedForm(app);
  if (open === undefined) return undefined;
  const view = formView(app.frame, open.form);
  const row = focusedRow(view, open);
  return {open, view, row, field: row?.kind === 'field' ? row.field : undefined};
}

export function isMultiline(field: ValueFormField | undefined): boolean {
  return field?.kind === 'text' && field.isMultiline === true;
}

/** Returns the text and cursor of the focused field; undefined if it is not typed. */
export function focusedInput(view: FormView, open: FormState): TextField | undefined {
  const row = focusedRow(view, open);
  if (row?.kind !== 'field' || !isTypedField(row.field)) return undefined;
  if (open.input?.text === row.text) return open.input;
  return setText(isMultiline(row.field) ? emptyField : emptyLine, row.text);
}

/** Whether the user types the value of the field. */
export function isTypedField({kind}: ValueFormField): boolean {
  return kind === 'text' || kind === 'number' || kind === 'date' || kind === 'color';
}

/** Returns the text to edit for a value of a typed field. */
export function editableText({display}: Frame, field: ValueFormField, value: FormValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (field.kind === 'date' && typeof value === 'number')
    return isoWithOffset(value, display.zone).slice(0, 16).replace('T', ' ');
  return String(value);
}

/** Returns the value of a field as text to show; empty when there is none. */
function shownText(frame: Frame, field: ValueFormField, value: FormValue | undefined): string {
  const {account} = frame;
  switch (field.kind) {
    case 'switch':
      return value === true ? 'on' : 'off';
    case 'choice':
      return field.choices.find((choice) => choice.value === value)?.label ?? (value === null ? '' : String(value));
    case 'people':
    case 'channels':
    case 'groups':
      return joined(Array.from(idsOf(value), (id) => entryName(account, field.kind, id)));
    case 'groupSetting':
      return groupSettingText(account, value, field.besides);
    default:
      return editableText(frame, field, value);
  }
}

/** Returns the name of a chosen user, channel or group. */
export function entryName(account: AccountState, kind: IdsFormField['kind'], id: number): string {
  if (kind === 'people') return distinctUserName(account, id);
  return kind === 'channels' ? composed`#${channelName(account, id)}` : groupLabel(account, id);
}

export function idsOf(value: FormValue | undefined): readonly number[] {
  return Array.isArray(value) ? value : [];
}

/** Understands the text of a typed field. `before` stays the value while the text makes no sense. */
export function readTypedText(frame: Frame, field: ValueFormField, text: string, before: FormValue): FormEdit {
  switch (field.kind) {
    case 'number':
      return readNumber(field, text, before);
    case 'date': {
      if (text.trim() === '') return {text, value: null};
      const [read, example] =
        field.direction === 'past'
          ? [parsePastDay, '3 weeks ago, 12 May, 2026-05-12']
          : [parseMoment, 'tomorrow 14:00, in 2 weeks'];
      const at = read(text, frame.minute, frame.display.zone);
      return at === undefined ? {text, value: before, problem: `Write a time such as ${example}`} : {text, value: at};
    }
    case 'color': {
      const [, hex] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim().toLowerCase()) ?? [];
      if (hex === undefined) return {text, value: before, problem: 'Write a color such as #76ce90'};
      return {text, value: `#${hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex}`};
    }
    case 'text':
      return {text, value: field.isMultiline === true || field.isSecret === true ? text : text.trim()};
    default:
      return {value: before};
  }
}

function readNumber({min, max}: NumberFormField, typed: string, before: FormValue): FormEdit {
  const text = typed.trim();
  if (text === '') return {text: typed, value: null};
  if (!/^-?\d{1,15}$/.test(text)) return {text: typed, value: before, problem: 'Write a whole number'};
  const value = Number(text);
  if (value >= (min ?? -Infinity) && value <= (max ?? Infinity)) return {text: typed, value};
  const problem =
    max === undefined ? `At least ${min}` : min === undefined ? `At most ${max}` : `From ${min} to ${max}`;
  return {text: typed, value: before, problem};
}

/** Returns why a value cannot be saved, by the rules of its field. */
function valueProblem(frame: Frame, field: ValueFormField, values: FormValues): string | undefined {
  const value = values[field.key];
  switch (field.kind) {
    case 'text': {
      const text = String(value ?? '');
      if (field.isRequired === true && text.trim() === '') return composed`${field.label} is missing`;
      const excess = [...text].length - (field.maxLength ?? Infinity);
      if (excess > 0) return `${countedNoun(excess, 'character')} too long`;
      return field.validate?.(text, values, frame);
    }
    case 'number':
    case 'date':
      if (value === null && field.emptyText === undefined) return composed`${field.label} is missing`;
      return field.validate?.(typeof value === 'number' ? value : null, values, frame);
    case 'people':
    case 'groups':
    case 'channels':
      return field.validate?.(idsOf(value), values, frame);
    default:
      return undefined;
  }
}
