import type {Group} from '#state/model/group.ts';
import type {AccountState} from '#state/state.ts';
import {camelKey} from '#std/camel.ts';
import {type GroupAction, isGroupActionAllowed} from '#wire/permission-rules.ts';
import {
  allowedIf,
  type GroupPermissionName,
  hasGroupPermission,
  hasRealmPermission,
  isGuest,
  isModerator,
  type Permission,
  refused,
} from './permission.ts';

const verbs: Readonly<Record<GroupAction, string>> = {
  manage: 'change',
  add: 'add people to',
  remove: 'remove people from',
  join: 'join',
  leave: 'leave',
};

export function canCreateGroup(state: AccountState, nowMs: number): Permission {
  return allowedIf(hasRealmPermission(state, 'canCreateGroups', nowMs), 'You do not have permission to create groups.');
}

/** Returns whether the user can do this with a group; `manage` is all about it: its name, permissions and members. */
export function canChangeGroup(state: AccountState, action: GroupAction, groupId: number, nowMs: number): Permission {
  const group = state.groups.get(groupId);
  if (group === undefined) return refused('This group no longer exists.');
  if (group.isSystemGroup) return refused('This group follows from the roles of users and cannot be changed.');
  if (group.isDeactivated && action !== 'manage') return refused(`The group ${group.name} is deactivated.`);
  const isAllowed = isGroupActionAllowed(action, {
    isSystemGroup: group.isSystemGroup,
    isGuest: isGuest(state),
    managesAllGroups: managesAllGroups(state, group, nowMs),
    has: (name) => hasGroupPermission(state, group, camelKey(name) as GroupPermissionName, nowMs) === true,
  });
  return allowedIf(isAllowed, `You do not have permission to ${verbs[action]} the group ${group.name}.`);
}

/** Below level 299 members of a group and moderators can change it, if the organization's policy allows that. */
function managesAllGroups(state: AccountState, group: Group, nowMs: number): boolean {
  const isAllowed = hasRealmPermission(state, 'canManageAllGroups', nowMs);
  if (state.realm.canManageAllGroups !== undefined) return isAllowed;
  return isAllowed && (isModerator(state) || group.members.has(state.self.userId));
}
