import {distinctUserName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {joined} from '#std/composed-text.ts';
import type {GroupSetting, SystemGroupName} from '#wire/objects/group.ts';

/** A group setting, or a value of another kind, which names nobody. */
type SettingValue = GroupSetting | string | boolean | null | undefined | readonly unknown[];

/** The names of the system groups, as users know them. */
const systemLabels: Readonly<Record<SystemGroupName, string>> = {
  'role:internet': 'Everyone on the internet',
  'role:everyone': 'Everyone including guests',
  'role:members': 'Everyone except guests',
  'role:fullmembers': 'Full members',
  'role:moderators': 'Moderators',
  'role:administrators': 'Administrators',
  'role:owners': 'Owners',
  'role:nobody': 'Nobody',
};

const labelsByName = new Map<string, string>(Object.entries(systemLabels));

/** Returns the name of a group; system groups have names such as `Moderators`. */
export function groupLabel({groups}: Pick<AccountState, 'groups'>, groupId: number): string {
  const group = groups.get(groupId);
  if (group === undefined) return 'Unknown group';
  return group.isSystemGroup ? (labelsByName.get(group.name) ?? group.name) : group.name;
}

/** Returns who has a permission: `Moderators, support, Meg`. `besides`: who has it anyway, so nobody means them. */
export function groupSettingText(account: AccountState, value: SettingValue, besides?: string): string {
  const {groupIds, userIds} = membersOf(value);
  const names = [
    ...groupIds.map((id) => groupLabel(account, id)),
    ...userIds.map((id) => distinctUserName(account, id)),
  ];
  const text = names.length === 0 ? systemLabels['role:nobody'] : joined(names);
  return besides !== undefined && text === systemLabels['role:nobody'] ? `Only ${besides}` : text;
}

/** Returns the groups and users that a group setting names; none for another value. */
export function membersOf(value: SettingValue) {
  if (typeof value === 'number') return {groupIds: [value], userIds: []};
  if (typeof value !== 'object' || value === null || !('direct_members' in value)) return {groupIds: [], userIds: []};
  return {groupIds: value.direct_subgroups, userIds: value.direct_members};
}
