import {userIdsIn} from '#state/selectors/people/profile-value.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';
import type {ActionHandler} from './action-handler.ts';

export interface FullNameAction {
  readonly kind: 'fullName';
  readonly fullName: string;
}

export const fullNameHandler: ActionHandler<FullNameAction> = {
  effective: (state, action) => (currentName(state) === action.fullName.trim() ? undefined : action),

  optimisticEvents: ({self}, action) => [
    {
      type: 'realm_user',
      op: 'update',
      id: -1,
      person: {user_id: self.userId, full_name: action.fullName.trim()},
    },
  ],

  inverse: (state, action) => ({...action, fullName: currentName(state) ?? action.fullName}),

  request: (api, action) => api.updateSettings({full_name: action.fullName}),
};

function currentName({users, self}: AccountState): string | undefined {
  return users.get(self.userId)?.fullName;
}

/** Sets one field of the user's profile. */
export interface ProfileFieldAction {
  readonly kind: 'profileField';
  readonly fieldId: number;
  /** The value as stored in the profile; for a field of users, their ids as a JSON list. Null clears it. */
  readonly value: string | null;
}

export const profileFieldHandler: ActionHandler<ProfileFieldAction> = {
  effective: (state, action) => (currentValue(state, action) === normalizedValue(action) ? undefined : action),

  optimisticEvents: ({self}, action) => [
    {
      type: 'realm_user',
      op: 'update',
      id: -1,
      person: {
        user_id: self.userId,
        custom_profile_field: {id: action.fieldId, value: normalizedValue(action)},
      },
    },
  ],

  inverse: (state, action) => ({...action, value: currentValue(state, action)}),

  async request(api, action) {
    const {fieldId: id} = action;
    const value = normalizedValue(action);
    if (value === null) return api.removeProfileData({data: [id]});
    const {custom_fields: fields} = await api.getProfileFields({});
    const namesPeople = fields.find((field) => field.id === id)?.type === profileFieldTypes.user;
    return api.updateProfileData({data: [{id, value: namesPeople ? [...userIdsIn(value)] : value}]});
  },
};

function normalizedValue({value}: ProfileFieldAction): string | null {
  const text = value?.trim() ?? '';
  return text === '' || text === '[]' ? null : text;
}

function currentValue({users, self}: AccountState, {fieldId}: ProfileFieldAction): string | null {
  return users.get(self.userId)?.profile[fieldId]?.value ?? null;
}

export async function changePassword(
  {api}: SessionContext,
  passwords: {readonly current: string; readonly next: string},
): Promise<void> {
  await api.updateSettings({old_password: passwords.current, new_password: passwords.next});
}

/** Sets the user's status. Empty text and emoji clear it. */
export interface StatusAction {
  readonly kind: 'status';
  readonly text: string;
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: string;
}

export const statusHandler: ActionHandler<StatusAction> = {
  effective: (state, action) => (sameStatus(ownStatus(state), action) ? undefined : action),

  optimisticEvents: (state, action) => [
    {
      type: 'user_status',
      id: -1,
      user_id: state.self.userId,
      status_text: action.text,
      emoji_name: action.emojiName,
      emoji_code: action.emojiCode,
      reaction_type: action.reactionType,
    },
  ],

  inverse: (state) => ownStatus(state),

  request: (api, {text, emojiName, emojiCode, reactionType}) =>
    api.updateStatus({
      status_text: text,
      emoji_name: emojiName,
      ...(emojiName !== '' && {emoji_code: emojiCode, reaction_type: reactionType}),
    }),
};

function ownStatus(state: AccountState): StatusAction {
  const status = state.statuses.get(state.self.userId);
  return {
    kind: 'status',
    text: status?.statusText ?? '',
    emojiName: status?.emojiName ?? '',
    emojiCode: status?.emojiCode ?? '',
    reactionType: status?.reactionType ?? '',
  };
}

function sameStatus(a: StatusAction, b: StatusAction): boolean {
  return a.text.trim() === b.text.trim() && a.emojiName === b.emojiName && a.emojiCode === b.emojiCode;
}

export interface AlertWordsAction {
  readonly kind: 'alertWords';
  readonly op: 'add' | 'remove';
  readonly words: readonly string[];
}

export const alertWordsHandler: ActionHandler<AlertWordsAction> = {
  /** Words that differ only in case are equal; a removed word keeps its spelling for undo. */
  effective({alertWords: current}, action) {
    const known = new Map(current.map((word) => [fold(word), word]));
    const requested = new Map(action.words.map((word) => [fold(word), word.trim()]));
    requested.delete('');
    const words = [...requested]
      .filter(([key]) => known.has(key) !== (action.op === 'add'))
      .map(([key, word]) => known.get(key) ?? word);
    return words.length === 0 ? undefined : {...action, words};
  },

  optimisticEvents({alertWords: current}, {op, words}) {
    const removed = new Set(words.map(fold));
    const after = op === 'add' ? [...current, ...words] : current.filter((word) => !removed.has(fold(word)));
    return [{type: 'alert_words', id: -1, alert_words: after}];
  },

  inverse: (_state, action) => ({...action, op: action.op === 'add' ? 'remove' : 'add'}),

  request: (api, {op, words}) =>
    op === 'add' ? api.addAlertWords({alert_words: [...words]}) : api.removeAlertWords({alert_words: [...words]}),
};

function fold(word: string): string {
  return word.trim().toLowerCase();
}
