import type {TextField} from '#ui/text/text-field.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import type {Frame} from './frame.ts';
import type {Owner} from './owner.ts';
import type {ToastMessage} from './toast-message.ts';

/**
 * A form: an overlay with fields that are saved together. Open it with `openForm` (`app/forms/open-form.ts`).
 *
 * ```ts
 * export function openFolderForm(app: App, folderId: number): void {
 *   openForm<{name: string; description: string}>(app, {
 *     id: `folder ${folderId}`,
 *     title: 'Channel folder',
 *     initial: ({account}) => {
 *       const {name = '', description = ''} = account.folders.get(folderId) ?? {};
 *       return {name, description};
 *     },
 *     fields: ({account}) => {
 *       const disabled = isAdministrator(account) ? undefined : 'Only administrators can change folders';
 *       return [
 *         formField('text', 'name', 'Name', {isRequired: true, maxLength: 60, disabled}),
 *         formField('text', 'description', 'Description', {isMultiline: true, disabled}),
 *       ];
 *     },
 *     save: async ({session}, {name, description}) => {
 *       await updateFolder(session.context, folderId, {name, description});
 *       return 'Folder saved';
 *     },
 *   });
 * }
 * ```
 */
export interface Form<V extends FormValues = FormValues> {
  /** Identifies the form and its record: unsaved values are kept under this id until the program ends. */
  readonly id: string;
  readonly title: string;
  /** Whether it is about all organizations or none: others name theirs where several are shown together. */
  readonly isGeneral?: true | undefined;
  /** Preferred width; on a small screen the form fills it. */
  readonly columns?: number | undefined;
  /** Whether the form creates something: it is saved even if no value was changed. */
  readonly isNew?: true | undefined;
  /** The label of the last row; `Save` by default. */
  readonly saveLabel?: string | undefined;
  /** Returns the values of the record. Fields that the user has not changed follow it. */
  initial(frame: Frame): V;
  /** Returns why no field can be changed. Fields may have reasons of their own. */
  disabledReason?(frame: Frame, values: V): string | undefined;
  /** Returns the fields for the current values, so that fields may appear, be disabled or have other choices. */
  fields(frame: Frame, values: V): readonly FormField[];
  /**
   * Sends the changes, which are those of shown fields that are not disabled; `before` are all values of the record. Resolves with what a toast says when saved;
   * the form then closes. When it rejects, the form stays open and shows the reason.
   */
  save(app: Owner, changes: Partial<V>, values: V, before: V): Promise<string | ToastMessage | undefined>;
  /** Returns the field that a failure of `save` is about; by default the only changed field. */
  errorField?(error: unknown): string | undefined;
  /** Returns further rows below the fields, such as `Archive the channel…`. */
  actions?(frame: Frame, values: V): readonly FormAction[];
  onClose?(app: Owner): void;
}

/** The value of a field: see the kinds of `FormField`. */
export type FormValue = string | number | boolean | null | readonly number[] | GroupSetting;

/** The values of a form by field key. A form's own type is a type alias, because interfaces have no index signature. */
export type FormValues = Readonly<Record<string, FormValue>>;

interface FieldBase {
  readonly key: string;
  readonly label: string;
  /** Shown below the field while it has the focus. */
  readonly help?: string | undefined;
  /** The reason why the field cannot be changed; shown while the field has the focus. */
  readonly disabled?: string | undefined;
  /** What the value results in, always shown below the field: `→ https://tickets.example/12`. */
  readonly result?: string | undefined;
  /** Whether the value only serves to try something in the form: it is no change and is not saved. */
  readonly isUnsaved?: true | undefined;
}

interface Checked<T> {
  /** Returns why the value cannot be saved. Shown while typing. */
  validate?(value: T, values: FormValues, frame: Frame): string | undefined;
}

/** One line of text, or several. The value is a string, trimmed if it is one line. */
export interface TextFormField extends FieldBase, Checked<string> {
  readonly kind: 'text';
  readonly isMultiline?: true | undefined;
  readonly isRequired?: true | undefined;
  /** Whether the text is a password and is shown as dots. */
  readonly isSecret?: true | undefined;
  /** In characters; a counter is shown near the limit. */
  readonly maxLength?: number | undefined;
  readonly placeholder?: string | undefined;
}

/** A whole number. The value is a number, or null when it is empty. */
export interface NumberFormField extends FieldBase, Checked<number | null> {
  readonly kind: 'number';
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Shown behind the number: `days`. */
  readonly unit?: string | undefined;
  /** Whether the field may be empty; the text is shown for an empty field: `never`. */
  readonly emptyText?: string | undefined;
}

/** A time typed in words. The value is in milliseconds since the epoch, or null when it is empty. */
interface DateFormField extends FieldBase, Checked<number | null> {
  readonly kind: 'date';
  /** `future` understands `tomorrow 14:00` and `in 2 weeks`, `past` understands days such as `3 weeks ago` and `12 May`. */
  readonly direction: 'future' | 'past';
  /** Whether the field may be empty; the text is shown for an empty field: `never`. */
  readonly emptyText?: string | undefined;
}

interface SwitchFormField extends FieldBase {
  readonly kind: 'switch';
}

export interface FormChoice {
  readonly value: string | number | boolean | null;
  readonly label: string;
  readonly detail?: string | undefined;
  /** The reason why it cannot be chosen. */
  readonly disabled?: string | undefined;
}

/** One of several values. */
export interface ChoiceFormField extends FieldBase {
  readonly kind: 'choice';
  readonly choices: readonly FormChoice[];
}

/** A colour such as `#76ce90`. */
interface ColorFormField extends FieldBase {
  readonly kind: 'color';
}

/** Several users, groups or channels. The value is the list of their ids. */
export interface IdsFormField extends FieldBase, Checked<readonly number[]> {
  readonly kind: 'people' | 'groups' | 'channels';
  /** Whether at most one can be chosen. */
  readonly isSingle?: true | undefined;
  /** Whether groups such as Moderators can be chosen too. */
  readonly hasSystemGroups?: true | undefined;
  /** Leaves out entries that cannot be chosen. */
  readonly isOffered?: ((id: number, frame: Frame) => boolean) | undefined;
  /** Shown when nothing is chosen: `nobody`. */
  readonly emptyText?: string | undefined;
}

/** The users who have a permission: a group, or users and groups. The value is a `GroupSetting`. */
export interface GroupSettingFormField extends FieldBase {
  readonly kind: 'groupSetting';
  /** The permission whose rules restrict the choices, by its name in the API: `can_add_subscribers_group`. */
  readonly setting: {readonly scope: 'realm' | 'stream' | 'group'; readonly name: string};
  /** Who has the permission anyway: `administrators`. */
  readonly besides?: string | undefined;
}

/** A title above the following fields. */
export interface FormSection {
  readonly kind: 'section';
  readonly label: string;
  readonly detail?: string | undefined;
}

export type ValueFormField =
  | TextFormField
  | NumberFormField
  | DateFormField
  | SwitchFormField
  | ChoiceFormField
  | ColorFormField
  | IdsFormField
  | GroupSettingFormField;
export type FormField = ValueFormField | FormSection;

type FieldOf<K, F = ValueFormField> = F extends {readonly kind: infer Kinds} ? (K extends Kinds ? F : never) : never;

/** Returns a field: `formField('text', 'name', 'Name', {isRequired: true})`. */
export function formField<K extends ValueFormField['kind']>(
  kind: K,
  key: string,
  label: string,
  ...[more]: object extends FieldOptions<K> ? [more?: FieldOptions<K>] : [more: FieldOptions<K>]
): FieldOf<K> {
  return {kind, key, label, ...more} as unknown as FieldOf<K>;
}

type FieldOptions<K> = Omit<FieldOf<K>, 'kind' | 'key' | 'label'>;

/** A row of a form that does something other than saving. */
export interface FormAction {
  readonly id: string;
  readonly label: string;
  readonly detail?: string | undefined;
  /** A key with Ctrl or Alt that runs it from everywhere in the form. */
  readonly key?: string | undefined;
  readonly disabled?: string | undefined;
  /** Asks before it runs. */
  readonly confirm?: {readonly title: string; readonly yes: string; readonly detail?: string} | undefined;
  run(app: Owner): void;
}

export function formAction(id: string, label: string, more: Omit<FormAction, 'id' | 'label'>): FormAction {
  return {id, label, ...more};
}

/** An unsaved change of a field. */
export interface FormEdit {
  /** The last value that could be understood. */
  readonly value: FormValue;
  /** The typed text, of fields that are typed. */
  readonly text?: string | undefined;
  /** Why the text cannot be understood. */
  readonly problem?: string | undefined;
}

/** The unsaved changes of a form by field key. A field with its initial value has none. */
export type FormEdits = Readonly<Record<string, FormEdit>>;

/** Whether the form is being saved, or why it could not be, or that this is unknown. */
export type FormProgress =
  | {readonly kind: 'idle'}
  | {readonly kind: 'saving'}
  | {readonly kind: 'unknown'; readonly reason: string}
  | {readonly kind: 'refused'; readonly reason: string; readonly field: string | undefined};

/** An open form. Its unsaved changes are in `ScreenState.formEdits`, so that they outlive it. */
export interface FormState {
  readonly kind: 'form';
  readonly form: Form;
  /** The key of the row with the focus. */
  readonly focus: string;
  /** The text cursor in the focused field; without it, or when the text differs, the cursor is at the end. */
  readonly input: TextField | undefined;
  /** The first line shown. */
  readonly top: number;
  /** Whether it opened with unsaved changes from before. */
  readonly isRestored: boolean;
  readonly progress: FormProgress;
}
