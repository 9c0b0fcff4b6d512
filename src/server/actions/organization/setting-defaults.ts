import {checkedSetting, isSettingName} from '#server/accounts/user-setting-values.ts';
import {type UserSettings, userSettingDefaults} from '#server/accounts/user-settings.ts';
import type {ActionContext} from '#server/context.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {storeOrganizationSetting} from './update-organization.ts';

/** Returns the settings that new accounts of this organization start with. */
export function settingDefaults(act: Pick<ActionContext, 'server'>): UserSettings {
  return {...userSettingDefaults, ...organization(act).user_setting_defaults};
}

export function updateSettingDefaults(act: ActionContext, input: Readonly<Record<string, unknown>>): void {
  const before = settingDefaults(act);
  const changes: [string, unknown][] = [];
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || !isSettingName(name)) continue;
    const checked = checkedSetting(name, value);
    if (checked !== before[name]) changes.push([name, checked]);
  }
  if (changes.length === 0) return;
  const stored = {...organization(act).user_setting_defaults, ...Object.fromEntries(changes)};
  storeOrganizationSetting(act, 'user_setting_defaults', stored);
  for (const [property, value] of changes) {
    act.emit({type: 'realm_user_settings_defaults', to: 'everyone', body: {op: 'update', property, value}});
  }
}
