import {distinctUserName} from '#state/selectors/names/names.ts';
import type {AccountState, ProfileField} from '#state/state.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';

/** Returns the value of a profile field as text: the label of a choice, the names of users, or the value itself. */
export function profileValueText(account: AccountState, field: ProfileField, value: string): string {
  if (field.type === profileFieldTypes.dropdown) {
    const choice: unknown = Reflect.get(Object(parsed(field.fieldData ?? '')), value);
    const text: unknown = Reflect.get(Object(choice), 'text');
    return typeof text === 'string' ? text : value;
  }
  if (field.type !== profileFieldTypes.user) return value;
  return profileUserIds(field, value)
    .map((id) => distinctUserName(account, id))
    .join(', ');
}

/** Returns the users that the value of a field names. */
export function profileUserIds({type}: ProfileField, value: string): readonly number[] {
  const ids = type === profileFieldTypes.user ? parsed(value) : undefined;
  return Array.isArray(ids) ? ids.map(Number) : [];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
