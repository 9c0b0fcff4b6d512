import type {StateEvent} from '#state/local-events.ts';
import type {AccountState} from '#state/state.ts';
import {camelKeys} from '#std/camel.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {type SettingName, settingFields} from '#wire/objects/user-settings.ts';
import type {ActionHandler} from './action-handler.ts';

export type SettingValue = boolean | number | string | null;

/** Changes one of the account's settings, which all its clients share. */
export interface SettingAction {
  readonly kind: 'setting';
  /** The server's name of the setting. */
  readonly name: SettingName;
  readonly value: SettingValue;
}

const stateNames = Object.fromEntries(
  Object.keys(settingFields).map((name) => [name, Object.keys(camelKeys({[name]: 0}))[0] ?? name]),
);

export const settingHandler: ActionHandler<SettingAction> = {
  effective: (state, action) => (currentSetting(state, action.name) === action.value ? undefined : action),

  optimisticEvents: (state, action) => [
    {type: 'user_settings', op: 'update', id: -1, property: action.name, value: action.value},
    ...otherSliceEvents(state, action),
  ],

  inverse(state, action) {
    const before = currentSetting(state, action.name);
    return {...action, value: isSettingValue(before) ? before : action.value};
  },

  request: (api, {name, value}) =>
    // The endpoint's parameters are typed separately; the name selects one.
    api.updateSettings({[name]: value} as ArgsOf<Endpoints['updateSettings']>),
};

/** Returns the event for the time zone, which is also part of the user. */
function otherSliceEvents({self}: AccountState, {name, value}: SettingAction): readonly StateEvent[] {
  if (name !== 'timezone') return [];
  return [{type: 'realm_user', op: 'update', id: -1, person: {user_id: self.userId, timezone: String(value)}}];
}

/** Returns the current value of a setting. Being away is the older name of being invisible. */
export function currentSetting({settings, statuses, self}: AccountState, name: SettingName): unknown {
  if (name === 'presence_enabled' && statuses.get(self.userId)?.away === true) return false;
  return Reflect.get(settings, stateNames[name] ?? name);
}

function isSettingValue(value: unknown): value is SettingValue {
  return value === null || ['boolean', 'number', 'string'].includes(typeof value);
}
