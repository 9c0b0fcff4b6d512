import type {User} from '#state/model/user.ts';
import {dropdownChoices, externalAccount, userIdsIn} from '#state/selectors/people/profile-value.ts';
import type {AccountState, ProfileField} from '#state/state.ts';
import type {FormField, FormValue, FormValues} from '#ui/core/form.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';
import type {ProfileInput} from '#wire/objects/user.ts';

/** The limits of the server. */
const maxShortText = 50;
const maxLongText = 500;

/** The form's key of a field of the profile. */
export function profileKey({id}: Pick<ProfileField, 'id'>): string {
  return `profile ${id}`;
}

/** Returns a user's profile as values of a form. */
export function profileValues({profileFields}: AccountState, user: User | undefined): FormValues {
  return Object.fromEntries(
    profileFields.map((field) => [profileKey(field), formValue(field, user?.profile[field.id]?.value ?? '')]),
  );
}

function formValue({type}: ProfileField, stored: string): FormValue {
  if (type === profileFieldTypes.user) return userIdsIn(stored);
  return type === profileFieldTypes.dropdown && stored === '' ? null : stored;
}

/** Returns the stored form of a value, as in a profile: people are a JSON list, and an empty value is null. */
export function storedProfileValue(value: FormValue | undefined): string | null {
  const text = Array.isArray(value) ? JSON.stringify(value) : typeof value === 'string' ? value.trim() : '';
  return text === '' || text === '[]' ? null : text;
}

/** Returns the changed fields as the server takes them. */
export function profileInputs({profileFields}: AccountState, changes: Partial<FormValues>): readonly ProfileInput[] {
  return profileFields.flatMap((field) => {
    const value = changes[profileKey(field)];
    if (value === undefined) return [];
    const stored = storedProfileValue(value);
    return [{id: field.id, value: stored !== null && Array.isArray(value) ? [...value] : stored}];
  });
}

/** Returns the form's fields for the organization's profile fields. */
export function profileFormFields(
  account: AccountState,
  disabledReason: (field: ProfileField) => string | undefined,
): readonly FormField[] {
  const {profileFields} = account;
  if (profileFields.length === 0) return [];
  return [
    {kind: 'section', label: 'Profile'},
    ...profileFields.map((field) => profileFormField(account, field, disabledReason(field))),
  ];
}

function profileFormField(account: AccountState, field: ProfileField, disabled: string | undefined): FormField {
  const {name: label, hint = '', type, required} = field;
  const base = {key: profileKey(field), label, disabled, help: hint === '' ? undefined : hint};
  const validate = (text: string) => (required === true && text.trim() === '' ? `${label} is required` : undefined);
  switch (type) {
    case profileFieldTypes.paragraph:
      return {...base, kind: 'text', isMultiline: true, maxLength: maxLongText, validate};
    case profileFieldTypes.dropdown: {
      const none = {value: null, label: 'none', ...(required === true && {disabled: `${label} is required`})};
      return {...base, kind: 'choice', choices: [none, ...dropdownChoices(field)]};
    }
    case profileFieldTypes.date:
      return {
        ...base,
        kind: 'text',
        placeholder: 'year-month-day, such as 1990-03-25',
        validate: (text) => validate(text) ?? dateProblem(text),
      };
    case profileFieldTypes.url:
      return {
        ...base,
        kind: 'text',
        placeholder: 'https://…',
        validate: (text) => validate(text) ?? addressProblem(text),
      };
    case profileFieldTypes.user:
      return {
        ...base,
        kind: 'people',
        emptyText: 'nobody',
        isOffered: (id, {account: {users}}) => users.get(id)?.isBot === false,
        validate: (ids) => (required === true && ids.length === 0 ? `${label} is required` : undefined),
      };
    case profileFieldTypes.externalAccount: {
      const {title, hint: usual} = externalAccount(account, field);
      const help = base.help ?? usual ?? (title === undefined ? undefined : `Your username on ${title}.`);
      return {...base, kind: 'text', help, placeholder: 'username', maxLength: maxShortText, validate};
    }
    default:
      return {...base, kind: 'text', maxLength: maxShortText, validate};
  }
}

function dateProblem(text: string): string | undefined {
  if (text === '') return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
  return isDay ? undefined : 'Write the day as year-month-day, such as 1990-03-25';
}

function addressProblem(text: string): string | undefined {
  const isAddress = text === '' || (/^https?:\/\/[^\s/?#]/i.test(text) && !/\s/.test(text) && URL.canParse(text));
  return isAddress ? undefined : 'Write an address that starts with https:// or http://';
}
