import type {ProfileField} from '#state/state.ts';
import type {FormChoice, FormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {createProfileField as endpoint} from '#wire/endpoints/organization.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';
import {featureProblem} from '#wire/server-features.ts';
import {administratorReason, serverReason} from './organization-rights.ts';
import {optionChangeText, optionsFromText, optionsProblem, readOptions} from './profile-options.ts';

export type ProfileFieldValues = {
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

/** The kind of external account that has its own name and URL pattern. */
export const customAccount = 'custom';

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

export function profileTypeLabel(type: number): string {
  return typeLabels.find(([one]) => one === type)?.[1] ?? 'Unknown type';
}

/** Returns the fields of the form; `field` is undefined for a new one. */
export function profileFieldFields(
  frame: Frame,
  values: ProfileFieldValues,
  field: ProfileField | undefined,
): readonly FormField[] {
  const disabled = administratorReason(frame);
  const isAccount = values.type === profileFieldTypes.externalAccount;
  const isNamedByServer = isAccount && values.account !== customAccount;
  const nameReason = disabled ?? (isNamedByServer ? 'The account type has its own name and hint' : undefined);
  const others = frame.account.profileFields.filter(({id}) => id !== field?.id);
  return [
    {
      kind: 'choice',
      key: 'type',
      label: 'Type',
      choices: typeChoices(frame),
      disabled: disabled ?? (field === undefined ? undefined : 'A field keeps its type: create another one'),
    },
    ...(isAccount ? accountFields(frame, values, field, disabled) : []),
    {
      kind: 'text',
      key: 'name',
      label: 'Label',
      isRequired: true,
      maxLength: maxNameLength,
      disabled: nameReason,
      validate: (name) =>
        others.some((one) => one.name.toLowerCase() === name.toLowerCase())
          ? 'Another field has this label'
          : undefined,
    },
    {
      kind: 'text',
      key: 'hint',
      label: 'Hint',
      help: 'Shown to users who fill in their profile.',
      maxLength: maxHintLength,
      disabled: nameReason,
    },
    ...(values.type === profileFieldTypes.dropdown ? [optionsField(values, field, disabled)] : []),
    ...flagFields(frame, values, others, disabled),
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
  disabled: string | undefined,
): readonly FormField[] {
  const known = Object.entries(account.realm.defaultExternalAccounts ?? {});
  const choices: readonly FormChoice[] = [
    {value: customAccount, label: 'Custom', detail: 'with its own URL pattern'},
    ...known.map(([value, {text, name}]) => ({value, label: text ?? name})),
  ];
  const isFixed = field !== undefined && values.account !== customAccount;
  return [
    {
      kind: 'choice',
      key: 'account',
      label: 'Account type',
      choices,
      disabled: disabled ?? (isFixed ? 'A field for this account type keeps it' : undefined),
    },
    ...(values.account === customAccount
      ? ([
          {
            kind: 'text',
            key: 'urlPattern',
            label: 'URL pattern',
            help: 'A URL with %(username)s once: https://git.example.com/%(username)s',
            isRequired: true,
            disabled,
            validate: urlPatternProblem,
          },
        ] as const)
      : []),
  ];
}

function urlPatternProblem(pattern: string): string | undefined {
  if (pattern.split('%(username)s').length !== 2) return 'Write %(username)s once';
  const example = pattern.replace('%(username)s', 'username');
  return /^https?:\/\//.test(example) && URL.canParse(example) ? undefined : 'This is not a URL';
}

function optionsField(
  {options}: ProfileFieldValues,
  field: ProfileField | undefined,
  disabled: string | undefined,
): FormField {
  const before = readOptions(field?.fieldData);
  return {
    kind: 'text',
    key: 'options',
    label: 'Options',
    help: 'One per line. Changing a line renames the option.',
    isMultiline: true,
    isRequired: true,
    disabled,
    validate: (text) => optionsProblem(optionsFromText(text, before)),
    result: optionChangeText(before, optionsFromText(options, before)),
  };
}

function flagFields(
  frame: Frame,
  {type, isInSummary, isForMatching}: ProfileFieldValues,
  others: readonly ProfileField[],
  disabled: string | undefined,
): readonly FormField[] {
  const {params} = endpoint;
  const canMatch = type === profileFieldTypes.shortText || type === profileFieldTypes.externalAccount;
  const matchReason = canMatch || isForMatching ? undefined : 'Only short texts and external accounts can be searched';
  const summary = isInSummary ? undefined : summaryReason(frame, type, others);
  return [
    {
      kind: 'switch',
      key: 'isInSummary',
      label: 'In the summary',
      help: `Shown on the short profile. At most ${maxInSummary} fields.`,
      disabled: disabled ?? serverReason(frame, params.display_in_profile_summary) ?? summary,
    },
    {
      kind: 'switch',
      key: 'isRequired',
      label: 'Required',
      help: 'Users are asked to fill it in.',
      disabled: disabled ?? serverReason(frame, params.required),
    },
    {
      kind: 'switch',
      key: 'isEditable',
      label: 'Users can edit',
      help: 'If off, only administrators fill it in.',
      disabled: disabled ?? serverReason(frame, params.editable_by_user),
    },
    {
      kind: 'switch',
      key: 'isForMatching',
      label: 'Finds people',
      help: 'Users are also found by the value of this field.',
      disabled: disabled ?? serverReason(frame, params.use_for_user_matching) ?? matchReason,
    },
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
  return `Two fields are in the summary already: ${shown.map(({name}) => name).join(', ')}`;
}
