import type {RealmChange} from '#state/actions/organization.ts';
import type {Realm} from '#state/state.ts';
import {camelKey} from '#std/camel.ts';
import type {FormValue, FormValues} from '#ui/core/form.ts';
import {type GroupSetting, groupSetting} from '#wire/objects/group-setting.ts';
import {decode} from '#wire/schema.ts';
import type {OrganizationSetting, PeriodSetting} from './organization-settings.ts';

/** The choice of a period that is none of the presets. */
export const otherPeriod = 'other';

/** The key of the field for a period that is none of the presets. */
export function periodKey(name: string): string {
  return `${name} amount`;
}

/** Returns the value that the organization has; undefined if the server does not have the setting. */
export function realmValue(realm: Realm, {name}: OrganizationSetting): unknown {
  return Reflect.get(realm, camelKey(name));
}

/** Returns the values of the form's fields for a setting. */
export function settingFormValues(realm: Realm, setting: OrganizationSetting): FormValues {
  const value = realmValue(realm, setting);
  const {name} = setting;
  switch (setting.kind) {
    case 'period':
      return periodFormValues(setting, value);
    case 'channel':
      return {[name]: typeof value === 'number' && value >= 0 ? [value] : []};
    case 'switch':
      return {[name]: setting.isInverted === true ? value !== true : value === true};
    case 'group':
      return {[name]: groupSettingOf(value) ?? ''};
    case 'text':
      return {[name]: typeof value === 'string' ? value : ''};
    default:
      return {[name]: typeof value === 'number' || typeof value === 'string' ? value : null};
  }
}

function groupSettingOf(value: unknown): GroupSetting | undefined {
  const decoded = decode(groupSetting, value);
  return decoded.ok ? decoded.value : undefined;
}

function periodFormValues({name, presets, unitSize}: PeriodSetting, value: unknown): FormValues {
  // The first preset is the one without a limit.
  const preset = value === null ? presets[0] : presets.find(([one]) => one === value);
  const amount = typeof value === 'number' && value > 0 ? Math.ceil(value / unitSize) : unitSize === 1 ? 365 : 30;
  return {[name]: preset === undefined ? otherPeriod : preset[0], [periodKey(name)]: amount};
}

/** Returns the request that gives the settings these values. Permissions name their old value, so that none is overwritten unseen. */
export function realmChangeOf(
  settings: readonly OrganizationSetting[],
  values: FormValues,
  before: FormValues,
): RealmChange {
  return Object.fromEntries(settings.map((setting) => [setting.name, requestValue(setting, values, before)]));
}

function requestValue(setting: OrganizationSetting, values: FormValues, before: FormValues): unknown {
  const {name} = setting;
  const value: FormValue | undefined = values[name];
  switch (setting.kind) {
    case 'period': {
      if (value === otherPeriod) return Number(values[periodKey(name)]) * setting.unitSize;
      return typeof value === 'number' && value > 0 ? value : 'unlimited';
    }
    case 'channel':
      return Array.isArray(value) ? (value[0] ?? -1) : -1;
    case 'switch':
      return setting.isInverted === true ? value !== true : value;
    case 'group':
      return {new: value, old: before[name]};
    default:
      // The Jitsi server is the only setting with a default of the server.
      return name === 'jitsi_server_url' && value === '' ? 'default' : value;
  }
}
