import type {ActionContext, ReadContext} from '#server/context.ts';
import {findGroup, type GroupRow} from '#server/db/groups.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import type {GroupSettingName} from '#wire/objects/group.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';
import {type GroupAction, isGroupActionAllowed} from '#wire/permission-rules.ts';
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
  const group = findGroup(act.db, id);
  if (group === undefined) throw badRequest('Invalid user group');
  return group;
}
