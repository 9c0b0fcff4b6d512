import {distinctUserName} from '#state/selectors/names/names.ts';
import type {AccountState, ProfileField} from '#state/state.ts';
import {parsedJson} from '#std/parse-json.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';

export interface DropdownChoice {
  readonly value: string;
  readonly label: string;
}

/** Returns the choices of a dropdown in their order. */
export function dropdownChoices({fieldData = ''}: ProfileField): readonly DropdownChoice[] {
  return Object.entries(Object(parsedJson(fieldData)))
    .map(([value, choice]) => ({value, label: textIn(choice, 'text') ?? value, order: Number(textIn(choice, 'order'))}))
    .sort((a, b) => a.order - b.order)
    .map(({value, label}) => ({value, label}));
}

function textIn(value: unknown, name: string): string | undefined {
  const text: unknown = Reflect.get(Object(value), name);
  return typeof text === 'string' ? text : typeof text === 'number' ? String(text) : undefined;
}

/** Returns the ids in the stored value of a field of people. */
export function userIdsIn(stored: string): readonly number[] {
  const ids = parsedJson(stored);
  return Array.isArray(ids) ? ids.filter((id): id is number => Number.isSafeInteger(id)) : [];
}

interface ExternalAccount {
  readonly title: string | undefined;
  readonly hint: string | undefined;
  readonly pattern: string | undefined;
}

/** Returns what an external account is: one that the server knows, or one with the field's own address pattern. */
export function externalAccount({realm}: AccountState, {fieldData = ''}: ProfileField): ExternalAccount {
  const data = parsedJson(fieldData);
  const known = realm.defaultExternalAccounts?.[textIn(data, 'subtype') ?? ''];
  const pattern = textIn(data, 'url_pattern') ?? known?.url_pattern;
  return {title: known?.text ?? known?.name, hint: known?.hint, pattern};
}

/** Whether users write Markdown in a field of this type. */
export function isMarkdown({type}: ProfileField): boolean {
  return type === profileFieldTypes.shortText || type === profileFieldTypes.paragraph;
}

/** Returns the address of an account elsewhere. */
export function externalUrl(account: AccountState, field: ProfileField, username: string): string | undefined {
  const url = externalAccount(account, field).pattern?.replace('%(username)s', () => encodeURIComponent(username));
  return url !== undefined && URL.canParse(url) && /^https?:/i.test(url) ? url : undefined;
}

/** Returns the value of a field without Markdown as text. */
export function profileValueText(account: AccountState, field: ProfileField, value: string): string {
  switch (field.type) {
    case profileFieldTypes.dropdown:
      return dropdownChoices(field).find((choice) => choice.value === value)?.label ?? value;
    case profileFieldTypes.user:
      return userIdsIn(value)
        .map((id) => distinctUserName(account, id))
        .join(', ');
    case profileFieldTypes.externalAccount: {
      const url = externalUrl(account, field, value);
      return url === undefined ? value : `${value} (${url})`;
    }
    default:
      return value;
  }
}
