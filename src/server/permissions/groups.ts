import type {ActionContext, ReadContext} from '#server/context.ts';
import {findGroup, type GroupRow} from '#server/db/groups.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import type {GroupSettingName} from '#wire/objects/group.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';
import {hasPermission, isGuest, organization} from './has-permission.ts';
import {SystemGroup} from './system-groups.ts';

export type GroupPermissions = Record<GroupSettingName, GroupSetting>;

const customGroupDefaults: GroupPermissions = {
  can_add_members_group: SystemGroup.nobody,
  can_join_group: SystemGroup.nobody,
  can_leave_group: SystemGroup.everyone,
  can_manage_group: SystemGroup.nobody,
  can_mention_group: SystemGroup.everyone,
  can_remove_members_group: SystemGroup.nobody,
};

const systemGroupPermissions: GroupPermissions = {
  ...customGroupDefaults,
  can_leave_group: SystemGroup.nobody,
  can_mention_group: SystemGroup.nobody,
};

export function groupPermissions(group: Pick<GroupRow, 'is_system' | 'permissions'>): GroupPermissions {
  if (group.is_system === 1) return systemGroupPermissions;
  return {...customGroupDefaults, ...JSON.parse(group.permissions)};
}

export function canCreateGroups(act: ReadContext, user: UserRow): boolean {
  return !isGuest(user) && hasPermission(act, user, organization(act).can_create_groups);
}

export function canManageGroup(act: ReadContext, user: UserRow, group: GroupRow): boolean {
  if (group.is_system === 1 || isGuest(user)) return false;
  return (
    hasPermission(act, user, organization(act).can_manage_all_groups) ||
    hasPermission(act, user, groupPermissions(group).can_manage_group)
  );
}

export function canAddMembers(act: ReadContext, user: UserRow, group: GroupRow): boolean {
  if (canManageGroup(act, user, group)) return true;
  return allowedByGroup(act, user, group, 'can_add_members_group');
}

export function canRemoveMembers(act: ReadContext, user: UserRow, group: GroupRow): boolean {
  if (canManageGroup(act, user, group)) return true;
  return allowedByGroup(act, user, group, 'can_remove_members_group');
}

export function canJoinGroup(act: ReadContext, user: UserRow, group: GroupRow): boolean {
  return canAddMembers(act, user, group) || allowedByGroup(act, user, group, 'can_join_group');
}

export function canLeaveGroup(act: ReadContext, user: UserRow, group: GroupRow): boolean {
  if (canRemoveMembers(act, user, group)) return true;
  return group.is_system === 0 && hasPermission(act, user, groupPermissions(group).can_leave_group);
}

/** Returns whether the group's own setting allows it. Guests never have these permissions, even as group members. */
function allowedByGroup(act: ReadContext, user: UserRow, group: GroupRow, name: GroupSettingName): boolean {
  return group.is_system === 0 && !isGuest(user) && hasPermission(act, user, groupPermissions(group)[name]);
}

/** Returns the group or throws. All users may see all groups. */
export function requireGroup(act: Pick<ActionContext, 'db'>, id: number): GroupRow {
  const group = findGroup(act.db, id);
  if (group === undefined) throw badRequest('Invalid user group');
  return group;
}
