import {type RecordChange, RecordKind} from '#app/forms/record-kind.ts';
import type {RecordRow} from '#app/forms/record-list.ts';
import type {ProfileFieldChange} from '#state/actions/administration.ts';
import type {ProfileField} from '#state/slices/profile-fields.ts';
import {composed, joined} from '#std/composed-text.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import {type FormChoice, type FormField, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {createProfileField as endpoint} from '#wire/endpoints/organization.ts';
import {isApiFailure} from '#wire/failure.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';
import {featureProblem} from '#wire/server-features.ts';
import {organizationList} from './organization-list.ts';
import {administratorReason, serverReason} from './organization-rights.ts';

function valuesOf(field: ProfileField | undefined): ProfileFieldValues {
  const {subtype, url_pattern: urlPattern} = parsedObject(field?.fieldData);
  const options = field?.type === profileFieldTypes.dropdown ? readOptions(field.fieldData) : [];
  return {
    type: field?.type ?? profileFieldTypes.shortText,
    name: field?.name ?? '',
    hint: field?.hint ?? '',
    options: options.map(({text}) => text).join('\n'),
    account: typeof subtype === 'string' ? subtype : customAccount,
    urlPattern: typeof urlPattern === 'string' ? urlPattern : '',
    isInSummary: field?.displayInProfileSummary ?? false,
    isRequired: field?.required ?? false,
    isEditable: field?.editableByUser ?? true,
    isForMatching: field?.useForUserMatching ?? false,
  };
}

const flags = {
  isInSummary: 'display_in_profile_summary',
  isRequired: 'required',
  isEditable: 'editable_by_user',
  isForMatching: 'use_for_user_matching',
} as const satisfies Partial<Record<keyof ProfileFieldValues, keyof ProfileFieldChange>>;

function flagChanges(changes: Partial<ProfileFieldValues>): ProfileFieldChange {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([key, name]) => {
      const value = changes[key as keyof typeof flags];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the data that the type of a field has; undefined if it has none. */
function fieldData(values: ProfileFieldValues, before: ProfileField | undefined): ProfileFieldChange['field_data'] {
  if (values.type === profileFieldTypes.dropdown) {
    return Object.fromEntries(
      optionsFromText(values.options, readOptions(before?.fieldData)).map(({key, text}, at) => [
        key,
        {text, order: String(at + 1)},
      ]),
    );
  }
  if (values.type !== profileFieldTypes.externalAccount) return undefined;
  const {account: subtype, urlPattern} = values;
  return subtype === customAccount ? {subtype, url_pattern: urlPattern} : {subtype};
}

/** Whether the type of account gives the field its name and hint. */
function isNamedByServer({type, account}: ProfileFieldValues): boolean {
  return type === profileFieldTypes.externalAccount && account !== customAccount;
}

/** Returns the field's data if the change is about it. */
function changedData({changes, values, record}: ProfileFieldEdit): ProfileFieldChange['field_data'] {
  const {options, account, urlPattern} = changes;
  const hasData = options !== undefined || account !== undefined || urlPattern !== undefined;
  return hasData ? fieldData(values, record) : undefined;
}

/** Returns the field that a text of the server is about. */
function errorField(error: unknown): keyof ProfileFieldValues | undefined {
  const text = isApiFailure(error) ? error.message : '';
  if (/^(?:label|name)\b|with that (?:label|name)/i.test(text)) return 'name';
  if (/^hint\b/i.test(text)) return 'hint';
  if (/choice/.test(text)) return 'options';
  if (/URL pattern|url_pattern/.test(text)) return 'urlPattern';
  if (/summary/.test(text)) return 'isInSummary';
  return /matching/.test(text) ? 'isForMatching' : undefined;
}

function fieldRow({id, name, type, displayInProfileSummary, required, editableByUser}: ProfileField): RecordRow {
  const notes = [
    (typeLabels.find(([one]) => one === type)?.[1] ?? 'Unknown type').toLowerCase(),
    ...(displayInProfileSummary === true ? ['in the summary'] : []),
    ...(required === true ? ['required'] : []),
    ...(editableByUser === false ? ['filled in by administrators'] : []),
  ];
  return {key: String(id), label: name, detail: notes.join(' · ')};
}

type ProfileFieldValues = {
  type: number;
  name: string;
  hint: string;
  /** One option per line. */
  options: string;
  /** The kind of an external account. */
  account: string;
  urlPattern: string;
  isInSummary: boolean;
  isRequired: boolean;
  isEditable: boolean;
  isForMatching: boolean;
};

type ProfileFieldEdit = RecordChange<ProfileField, ProfileFieldValues>;

/** The kind of external account that has its own name and URL pattern. */
const customAccount = 'custom';

const maxNameLength = 40;
const maxHintLength = 80;
const maxInSummary = 2;

const typeLabels: readonly (readonly [type: number, label: string, detail: string])[] = [
  [profileFieldTypes.shortText, 'Short text', 'up to 50 characters'],
  [profileFieldTypes.paragraph, 'Long text', 'up to 500 characters, with Markdown'],
  [profileFieldTypes.dropdown, 'List of options', 'users choose one'],
  [profileFieldTypes.date, 'Date', 'such as a birthday'],
  [profileFieldTypes.url, 'Link', 'a URL'],
  [profileFieldTypes.user, 'People', 'such as a manager or mentor'],
  [profileFieldTypes.externalAccount, 'External account', 'a name on another service'],
  [profileFieldTypes.pronouns, 'Pronouns', 'shown beside the name'],
];

/** Returns the fields of the form; `field` is undefined for a new one. */
function profileFieldFields(
  frame: Frame,
  values: ProfileFieldValues,
  field: ProfileField | undefined,
): readonly FormField[] {
  const isAccount = values.type === profileFieldTypes.externalAccount;
  const nameReason = isNamedByServer(values) ? 'The account type has its own name and hint' : undefined;
  const others = frame.account.profileFields.filter(({id}) => id !== field?.id);
  return [
    formField('choice', 'type', 'Type', {
      choices: typeChoices(frame),
      disabled: field && 'A field keeps its type: create another one',
    }),
    ...(isAccount ? accountFields(frame, values, field) : []),
    formField('text', 'name', 'Label', {
      isRequired: true,
      maxLength: maxNameLength,
      disabled: nameReason,
      validate: (name) =>
        others.some((one) => one.name.toLowerCase() === name.toLowerCase())
          ? 'Another field has this label'
          : undefined,
    }),
    formField('text', 'hint', 'Hint', {
      help: 'Shown to users who fill in their profile.',
      maxLength: maxHintLength,
      disabled: nameReason,
    }),
    ...(values.type === profileFieldTypes.dropdown ? [optionsField(values, field)] : []),
    ...flagFields(frame, values, others),
  ];
}

function typeChoices(frame: Frame): readonly FormChoice[] {
  const pronouns = featureProblem(frame.account.server.level, 'pronounsField');
  return typeLabels.map(([value, label, detail]) => ({
    value,
    label,
    detail,
    disabled: value === profileFieldTypes.pronouns ? pronouns : undefined,
  }));
}

function accountFields(
  {account}: Frame,
  values: ProfileFieldValues,
  field: ProfileField | undefined,
): readonly FormField[] {
  const known = Object.entries(account.realm.defaultExternalAccounts ?? {});
  const choices: readonly FormChoice[] = [
    {value: customAccount, label: 'Custom', detail: 'with its own URL pattern'},
    ...known.map(([value, {text, name}]) => ({value, label: text ?? name})),
  ];
  const isFixed = field !== undefined && values.account !== customAccount;
  return [
    formField('choice', 'account', 'Account type', {
      choices,
      disabled: isFixed ? 'A field for this account type keeps it' : undefined,
    }),
    ...(values.account === customAccount
      ? ([
          formField('text', 'urlPattern', 'URL pattern', {
            help: 'A URL with %(username)s once: https://git.example.com/%(username)s',
            isRequired: true,
            validate: urlPatternProblem,
          }),
        ] as const)
      : []),
  ];
}

function urlPatternProblem(pattern: string): string | undefined {
  if (pattern.split('%(username)s').length !== 2) return 'Write %(username)s once';
  const example = pattern.replace('%(username)s', 'username');
  return /^https?:\/\//.test(example) && URL.canParse(example) ? undefined : 'This is not a URL';
}

function optionsField({options}: ProfileFieldValues, field: ProfileField | undefined): FormField {
  const before = readOptions(field?.fieldData);
  return formField('text', 'options', 'Options', {
    help: 'One per line. Changing a line renames the option.',
    isMultiline: true,
    isRequired: true,
    validate: (text) => optionsProblem(optionsFromText(text, before)),
    result: optionChangeText(before, optionsFromText(options, before)),
  });
}

function flagFields(
  frame: Frame,
  {type, isInSummary, isForMatching}: ProfileFieldValues,
  others: readonly ProfileField[],
): readonly FormField[] {
  const {params} = endpoint;
  const canMatch = type === profileFieldTypes.shortText || type === profileFieldTypes.externalAccount;
  const matchReason = canMatch || isForMatching ? undefined : 'Only short texts and external accounts can be searched';
  const summary = isInSummary ? undefined : summaryReason(frame, type, others);
  return [
    formField('switch', 'isInSummary', 'In the summary', {
      help: `Shown on the short profile. At most ${maxInSummary} fields.`,
      disabled: serverReason(frame, params.display_in_profile_summary) ?? summary,
    }),
    formField('switch', 'isRequired', 'Required', {
      help: 'Users are asked to fill it in.',
      disabled: serverReason(frame, params.required),
    }),
    formField('switch', 'isEditable', 'Users can edit', {
      help: 'If off, only administrators fill it in.',
      disabled: serverReason(frame, params.editable_by_user),
    }),
    formField('switch', 'isForMatching', 'Finds people', {
      help: 'Users are also found by the value of this field.',
      disabled: serverReason(frame, params.use_for_user_matching) ?? matchReason,
    }),
  ];
}

function summaryReason(frame: Frame, type: number, others: readonly ProfileField[]): string | undefined {
  if (type === profileFieldTypes.user) return 'Fields with people cannot be in the summary';
  if (type === profileFieldTypes.paragraph) {
    const reason = featureProblem(frame.account.server.level, 'paragraphSummary');
    if (reason !== undefined) return reason;
  }
  const shown = others.filter(({displayInProfileSummary}) => displayInProfileSummary === true);
  if (shown.length < maxInSummary) return undefined;
  return `Two fields are in the summary already: ${joined(shown.map(({name}) => name))}`;
}

/** An option of a profile field whose values are chosen from a list. Users' values are keys. */
interface ProfileOption {
  readonly key: string;
  readonly text: string;
}

/** Reads the options of a field in their order; none when the data is something else. */
export function readOptions(fieldData: string | undefined): readonly ProfileOption[] {
  const entries = Object.entries(parsedObject(fieldData)).flatMap(([key, choice]) => {
    const [text, order]: unknown[] = [Reflect.get(Object(choice), 'text'), Reflect.get(Object(choice), 'order')];
    return typeof text === 'string' ? [{key, text, order: Number(order)}] : [];
  });
  return entries.sort((a, b) => a.order - b.order).map(({key, text}) => ({key, text}));
}

/** Reads the data of a field, which is an object as JSON; empty when there is none. */
function parsedObject(fieldData: string | undefined): Readonly<Record<string, unknown>> {
  const value = parsedJson(fieldData);
  return isRecord(value) ? value : {};
}

/**
 * Returns the options that the lines of a text mean. An option with the same text keeps its key; another text in the place of
 * an option that is gone renames it; all others are new.
 */
export function optionsFromText(text: string, before: readonly ProfileOption[]): readonly ProfileOption[] {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const byText = new Map(before.map((option) => [option.text, option.key]));
  const isGone = (option: ProfileOption | undefined) => option !== undefined && !lines.includes(option.text);
  let nextKey = Math.max(-1, ...before.map(({key}) => Number(key)).filter(Number.isFinite)) + 1;
  return lines.map((line, at): ProfileOption => {
    const renamed = before[at];
    const key = byText.get(line) ?? (isGone(renamed) ? renamed?.key : undefined) ?? String(nextKey++);
    return {key, text: line};
  });
}

/** Returns what a change of the options means for users who have chosen one: `Renames Tea to Green tea · removes Milk`. */
export function optionChangeText(
  before: readonly ProfileOption[],
  after: readonly ProfileOption[],
): string | undefined {
  const textAfter = new Map(after.map(({key, text}) => [key, text]));
  const renames = before.flatMap(({key, text}) => {
    const now = textAfter.get(key);
    return now === undefined || now === text ? [] : [`renames ${text} to ${now}`];
  });
  const removed = before.filter(({key}) => !textAfter.has(key)).map(({text}) => text);
  const changes = [...renames, ...(removed.length === 0 ? [] : [`removes ${joined(removed)} from all profiles`])];
  const text = changes.join(' · ');
  return text === '' ? undefined : `${text[0]?.toUpperCase()}${text.slice(1)}`;
}

function optionsProblem(options: readonly ProfileOption[]): string | undefined {
  if (options.length === 0) return 'Write at least one option';
  const texts = new Set(options.map(({text}) => text));
  return texts.size < options.length ? 'Two options are the same' : undefined;
}

/** The custom profile fields. */
export const profileFields = new RecordKind<ProfileField, ProfileFieldValues, number>({
  noun: 'profile field',
  list: {
    id: 'profile-fields',
    title: 'Custom profile fields',
    empty: 'No profile fields',
    addLabel: 'New profile field…',
    rows: ({account}) => account.profileFields.map(fieldRow),
    order: {
      what: 'profile fields',
      slice: 'profileFields',
      keys: (account) => account.profileFields.toSorted((a, b) => a.order - b.order).map(({id}) => String(id)),
      send: ({api}, keys) => api.reorderProfileFields({order: keys.map(Number)}),
    },
    moveProblem: administratorReason,
  },
  keyOf: Number,
  find: ({account}, id) => account.profileFields.find((one) => one.id === id),
  changeReason: administratorReason,
  form: {
    title: 'Profile field',
    newTitle: 'New profile field',
    createLabel: 'Create the field',
    values: valuesOf,
    fields: profileFieldFields,
    errorField,
  },
  create: async ({api}, values) => {
    const {type, name, hint} = values;
    const texts = isNamedByServer(values) ? {} : {name, ...(hint !== '' && {hint})};
    const field_data = fieldData(values, undefined);
    return (await api.createProfileField({field_type: type, ...texts, field_data, ...flagChanges(values)})).id;
  },
  created: (values) => ({
    done: isNamedByServer(values) ? 'Created the profile field' : composed`Created the profile field ${values.name}`,
    undone: 'Removed the profile field',
    notUndone: 'The profile field was not removed',
  }),
  change: {
    update: ({api}, id, change) => {
      const {name, hint} = change.changes;
      const field_data = changedData(change);
      return api.updateProfileField({
        field_id: id,
        ...(name !== undefined && {name}),
        ...(hint !== undefined && {hint}),
        ...(field_data !== undefined && {field_data}),
        ...flagChanges(change.changes),
      });
    },
    texts: (change) => {
      const {
        values: {name},
        before,
      } = change;
      const data = changedData(change);
      const {type, fieldData: dataBefore} = change.record;
      const removesOptions = readOptions(dataBefore).some(({key}) => data !== undefined && !Object.hasOwn(data, key));
      // The values of users who had chosen a removed option are gone.
      const isPermanent = type === profileFieldTypes.dropdown && removesOptions;
      return {
        done: composed`Changed the profile field ${name}`,
        undone: isPermanent ? undefined : composed`Restored the profile field ${before.name}`,
        notUndone: 'The profile field was not restored',
      };
    },
  },
  removal: {
    remove: ({api}, id) => api.removeProfileField({field_id: id}),
    confirm: ({name}) => ({
      title: composed`Remove the profile field ${name}?`,
      yes: 'Remove',
      detail: 'with what all users have written in it, for ever',
    }),
    texts: ({name}) => ({done: composed`Removed the profile field ${name}`, failed: composed`${name} was not removed`}),
  },
});

export const profileFieldList = organizationList(profileFields, {
  detail: 'what users tell about themselves',
  aliases: ['profile fields', 'add profile field', 'user fields'],
});
