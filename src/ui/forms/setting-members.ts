import type {AccountState} from '#state/state.ts';
import type {GroupSettingFormField} from '#ui/core/form.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';
import {offeredGroups, type SettingMembers, settingRule, systemGroup} from './group-setting-text.ts';

/**
 * Returns the setting for these groups and users: one group by itself is named, nobody is the group of that name. Undefined if
 * the permission does not allow it.
 */
export function settingOfMembers(
  account: AccountState,
  {setting}: GroupSettingFormField,
  {groupIds, userIds}: SettingMembers,
): GroupSetting | undefined {
  const nobody = systemGroup(account, 'role:nobody')?.id;
  const groups = groupIds.filter((id) => id !== nobody);
  const [only] = groups;
  if (only !== undefined && groups.length === 1 && userIds.length === 0) return only;
  if (groups.length === 0 && userIds.length === 0) {
    return offeredGroups(account, setting).some(({id}) => id === nobody) ? nobody : undefined;
  }
  if (settingRule(account, setting)?.require_system_group === true) return undefined;
  return {direct_members: [...userIds], direct_subgroups: groups};
}
