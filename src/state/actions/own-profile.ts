import type {AccountState} from '#state/state.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';
import type {ActionHandler} from './reversal.ts';

export interface FullNameAction {
  readonly kind: 'fullName';
  readonly fullName: string;
}

export const fullNameHandler: ActionHandler<FullNameAction> = {
  effective: (state, action) => (nameNow(state) === action.fullName.trim() ? undefined : action),

  optimisticEvents: ({self}, action) => [
    {
      type: 'realm_user',
      op: 'update',
      id: -1,
      person: {user_id: self.userId, full_name: action.fullName.trim()},
    },
  ],

  inverse: (state, action) => ({...action, fullName: nameNow(state) ?? action.fullName}),

  request: (api, action, signal) => api.updateSettings({full_name: action.fullName}, {signal}),
};

function nameNow({users, self}: AccountState): string | undefined {
  return users.get(self.userId)?.fullName;
}

/** One field of one's own profile. */
export interface ProfileFieldAction {
  readonly kind: 'profileField';
  readonly fieldId: number;
  /** As the profile holds it; of a field that names people, their ids as a JSON list. Null clears it. */
  readonly value: string | null;
}

export const profileFieldHandler: ActionHandler<ProfileFieldAction> = {
  effective: (state, action) => (valueNow(state, action) === written(action) ? undefined : action),

  optimisticEvents: ({self}, action) => [
    {
      type: 'realm_user',
      op: 'update',
      id: -1,
      person: {
        user_id: self.userId,
        custom_profile_field: {id: action.fieldId, value: written(action)},
      },
    },
  ],

  inverse: (state, action) => ({...action, value: valueNow(state, action)}),

  async request(api, action, signal) {
    const {fieldId: id} = action;
    const value = written(action);
    if (value === null) return api.removeProfileData({data: [id]}, {signal});
    const {custom_fields: fields} = await api.getProfileFields({}, {signal});
    const namesPeople = fields.find((field) => field.id === id)?.type === profileFieldTypes.user;
    return api.updateProfileData({data: [{id, value: namesPeople ? peopleIn(value) : value}]}, {signal});
  },
};

function written({value}: ProfileFieldAction): string | null {
  const text = value?.trim() ?? '';
  return text === '' || text === '[]' ? null : text;
}

function valueNow({users, self}: AccountState, {fieldId}: ProfileFieldAction): string | null {
  return users.get(self.userId)?.profile[fieldId]?.value ?? null;
}

function peopleIn(value: string): number[] {
  try {
    const ids: unknown = JSON.parse(value);
    return Array.isArray(ids) ? ids.filter((id): id is number => Number.isSafeInteger(id)) : [];
  } catch {
    return [];
  }
}
