import type {Group} from '#state/model/user.ts';
import {distinctUserName, sortedByName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import type {FormValue, GroupSettingFormField} from '#ui/core/form.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import {type SystemGroupName, systemGroupNames} from '#wire/objects/group.ts';
import type {PermissionSetting} from '#wire/objects/realm.ts';

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

/** Returns who has a permission: `Moderators, support, Meg`. `isAdditional`: others have it anyway. */
export function groupSettingText(account: AccountState, value: FormValue | undefined, isAdditional = false): string {
  const {groupIds, userIds} = membersOf(value);
  const names = [
    ...groupIds.map((id) => groupLabel(account, id)),
    ...userIds.map((id) => distinctUserName(account, id)),
  ];
  const text = names.length === 0 ? systemLabels['role:nobody'] : names.join(', ');
  return isAdditional && text === systemLabels['role:nobody'] ? 'Nobody else' : text;
}

/** The groups and users of a group setting. */
interface SettingMembers {
  readonly groupIds: readonly number[];
  readonly userIds: readonly number[];
}

export function membersOf(value: FormValue | undefined) {
  if (typeof value === 'number') return {groupIds: [value], userIds: []};
  if (typeof value !== 'object' || value === null || !('direct_members' in value)) return {groupIds: [], userIds: []};
  return {groupIds: value.direct_subgroups, userIds: value.direct_members};
}

function systemGroup({groups}: Pick<AccountState, 'groups'>, name: SystemGroupName): Group | undefined {
  for (const group of groups.values()) if (group.isSystemGroup && group.name === name) return group;
  return undefined;
}

/** The rules of a permission; a server that sends none is asked for nothing unusual. */
export function settingRule(
  {server}: Pick<AccountState, 'server'>,
  {scope, name}: GroupSettingFormField['setting'],
): PermissionSetting | undefined {
  return server.serverSupportedPermissionSettings?.[scope]?.[name];
}

/** Returns the value that the server would give to a permission of a new record; undefined when it has no such permission. */
export function defaultGroupSetting(
  account: AccountState,
  setting: GroupSettingFormField['setting'],
): GroupSetting | undefined {
  const name = settingRule(account, setting)?.default_group_name;
  if (name === undefined) return undefined;
  // The server's word for the creator of a channel or group depends on its version; a new channel is always theirs.
  if (name.includes('creator') || setting.name === 'can_administer_channel_group')
    return {direct_members: [account.self.userId], direct_subgroups: []};
  for (const group of account.groups.values()) if (group.isSystemGroup && group.name === name) return group.id;
  return systemGroup(account, 'role:nobody')?.id;
}

/** The permissions that may include guests, for servers that send no rules. */
const guestSettings: ReadonlySet<string> = new Set([
  'can_create_topic_group',
  'can_delete_own_message_group',
  'can_leave_group',
  'can_mention_group',
  'can_mention_many_users_group',
  'can_move_messages_between_topics_group',
  'can_move_messages_within_channel_group',
  'can_resolve_topics_group',
  'can_send_message_group',
  'direct_message_initiator_group',
  'direct_message_permission_group',
]);

function isAllowed(name: SystemGroupName, rule: PermissionSetting | undefined, setting: string): boolean {
  const named = rule?.allowed_system_groups ?? [];
  if (named.length > 0 && !named.includes(name)) return false;
  if (name === 'role:internet') return rule?.allow_internet_group ?? false;
  if (name === 'role:everyone') return rule?.allow_everyone_group ?? guestSettings.has(setting);
  return name !== 'role:nobody' || (rule?.allow_nobody_group ?? true);
}

/** Returns the groups that a permission may have: system groups, the smallest first, then the organization's own. */
export function offeredGroups(account: AccountState, setting: GroupSettingFormField['setting']): readonly Group[] {
  const rule = settingRule(account, setting);
  const system = systemGroups(account, (name) => isAllowed(name, rule, setting.name));
  return rule?.require_system_group === true ? system : [...system, ...ownGroups(account)];
}

/** Returns the system groups, the smallest first; by default all to which users can belong. */
export function systemGroups(
  account: Pick<AccountState, 'groups'>,
  isOffered: (name: SystemGroupName) => boolean = (name) => name !== 'role:nobody' && name !== 'role:internet',
): readonly Group[] {
  return systemGroupNames
    .toReversed()
    .filter(isOffered)
    .flatMap((name) => systemGroup(account, name) ?? []);
}

/** Returns the active groups that users have made. */
export function ownGroups({groups}: Pick<AccountState, 'groups'>): readonly Group[] {
  const active = [...groups.values()].filter(({isSystemGroup, isDeactivated}) => !isSystemGroup && !isDeactivated);
  return sortedByName(active, ({name}) => name);
}

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
