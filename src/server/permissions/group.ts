import type {ActionContext, ReadContext, ServerAccess} from '#server/context.ts';
import {findGroup, type GroupRow, unknownUserIds} from '#server/db/groups.ts';
import type {Ids, UserRow} from '#server/db/rows.ts';
import {ApiError, check, required} from '#server/errors.ts';
import {groupPermissionDefaults, type PermissionRule, SystemGroup} from '#server/organization/permission-rules.ts';
import {
  type GroupAction,
  type GroupSetting,
  type GroupSettingChange,
  type GroupSettingName,
  isGroupActionAllowed,
  sameGroupSetting,
} from '#wire/objects/group.ts';
import {hasPermission, isGuest, organization} from './has-permission.ts';

type GroupPermissions = Record<GroupSettingName, GroupSetting>;

export function groupPermissions(group: Pick<GroupRow, 'is_system' | 'permissions'>): GroupPermissions {
  if (group.is_system === 1) return systemGroupPermissions;
  return {...groupPermissionDefaults, ...JSON.parse(group.permissions)};
}

/** Nobody manages system groups, or mentions all of their members. */
const systemGroupPermissions: GroupPermissions = {
  ...groupPermissionDefaults,
  can_leave_group: SystemGroup.nobody,
  can_mention_group: SystemGroup.nobody,
};

export function canCreateGroups(act: ReadContext, user: UserRow): boolean {
  return !isGuest(user) && hasPermission(act, user, organization(act).can_create_groups);
}

export function canChangeGroup(act: ReadContext, user: UserRow, group: GroupRow, action: GroupAction): boolean {
  return isGroupActionAllowed(action, {
    isSystemGroup: group.is_system === 1,
    isGuest: isGuest(user),
    managesAllGroups: hasPermission(act, user, organization(act).can_manage_all_groups),
    has: (name) => hasPermission(act, user, groupPermissions(group)[name]),
  });
}

/** Returns the group or throws. All users may see all groups. */
export function requireGroup(act: Pick<ActionContext, 'db'>, id: number): GroupRow {
  return required(findGroup(act.db, id), 'Invalid user group');
}

/**
 * Returns the value in canonical form, after checking that all users and groups in it exist and that the rule allows
 * them this permission.
 */
export function checkedGroupSetting(
  act: ServerAccess,
  name: string,
  value: GroupSetting,
  rule: PermissionRule,
): GroupSetting {
  const setting = canonicalGroupSetting(value);
  if (typeof setting === 'number') {
    checkGroup(requireActiveGroup(act, setting), name, rule);
    return setting;
  }
  if (rule.require_system_group) {
    throw new ApiError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, 400, {
      setting_name: name,
    });
  }
  const [unknown] = unknownUserIds(act.server.db, setting.direct_members);
  check(unknown === undefined, `Invalid user ID: ${unknown}`);
  activeGroupIds(act, setting.direct_subgroups);
  return setting;
}

/** Same as `checkedGroupSetting`, for a change that may name the old value that it expects to replace. */
export function changedGroupSetting(
  act: ServerAccess,
  name: string,
  change: GroupSettingChange,
  current: GroupSetting,
  rule: PermissionRule,
): GroupSetting {
  return changesGroupSetting(change, current) ? checkedGroupSetting(act, name, change.new, rule) : current;
}

/** Returns whether the new value differs from the current one; throws if the current one is not the expected one. */
export function changesGroupSetting(change: GroupSettingChange, current: GroupSetting): boolean {
  const isCurrent = (value: GroupSetting) =>
    sameGroupSetting(canonicalGroupSetting(value), canonicalGroupSetting(current));
  if (change.old !== undefined && !isCurrent(change.old)) {
    throw new ApiError('EXPECTATION_MISMATCH', "'old' value does not match the expected value.", 400, {
      field_name: 'old',
    });
  }
  return !isCurrent(change.new);
}

/**
 * Returns the canonical form: a set of one group becomes that group, an empty set becomes nobody; ids ascend without
 * duplicates.
 */
export function canonicalGroupSetting(value: GroupSetting): GroupSetting {
  if (typeof value === 'number') return value;
  const members = ascending(value.direct_members);
  const subgroups = ascending(value.direct_subgroups);
  if (members.length === 0 && subgroups.length === 0) return SystemGroup.nobody;
  const [only] = subgroups;
  if (members.length === 0 && subgroups.length === 1 && only !== undefined) return only;
  return {direct_members: members, direct_subgroups: subgroups};
}

/** Returns whether a setting contains the group, alone or in a set. */
export function settingIncludesGroup(setting: unknown, groupId: number): boolean {
  if (typeof setting === 'number') return setting === groupId;
  if (typeof setting !== 'object' || setting === null || !('direct_subgroups' in setting)) return false;
  return Array.isArray(setting.direct_subgroups) && setting.direct_subgroups.includes(groupId);
}

function ascending(ids: Ids): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** Returns the ids without duplicates; throws unless all groups exist, and then unless all are active. */
export function activeGroupIds(act: ServerAccess, groupIds: Ids): number[] {
  const ids = ascending(groupIds);
  const unknown = groupIds.find((id) => findGroup(act.server.db, id) === undefined);
  check(unknown === undefined, `Invalid user group ID: ${unknown}`);
  for (const id of ids) requireActiveGroup(act, id);
  return ids;
}

export function requireActiveGroup(act: ServerAccess, id: number): GroupRow {
  const group = required(findGroup(act.server.db, id), 'Invalid user group');
  check(group.deactivated !== 1, 'User group is deactivated.');
  return group;
}

function checkGroup(group: GroupRow, name: string, rule: PermissionRule): void {
  if (rule.require_system_group && group.is_system === 0) {
    throw new ApiError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, 400, {
      setting_name: name,
    });
  }
  const allowed = rule.allowed_system_groups;
  const refused =
    (group.id === SystemGroup.internet && !rule.allow_internet_group) ||
    (group.id === SystemGroup.nobody && !rule.allow_nobody_group) ||
    (group.id === SystemGroup.everyone && !rule.allow_everyone_group) ||
    (group.is_system === 1 && allowed.length > 0 && !allowed.includes(group.name));
  check(!refused, `'${name}' setting cannot be set to '${group.name}' group.`);
}
