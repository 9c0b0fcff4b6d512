import type {Group} from '#state/model/group.ts';
import type {AccountState} from '#state/state.ts';
import {
  allowed,
  allowedIf,
  type GroupPermissionName,
  hasGroupPermission,
  hasRealmPermission,
  isGuest,
  isModerator,
  type Permission,
  refused,
} from './permission.ts';

const unknownGroup = 'This group no longer exists.';
const systemGroupReason = 'This group follows from the roles of users and cannot be changed.';

export function canCreateGroup(state: AccountState, nowMs: number): Permission {
  return allowedIf(hasRealmPermission(state, 'canCreateGroups', nowMs), 'You do not have permission to create groups.');
}

/** Returns whether the user can change everything about a group: its name, permissions and members. */
export function canManageGroup(state: AccountState, groupId: number, nowMs: number): Permission {
  const group = state.groups.get(groupId);
  if (group === undefined) return refused(unknownGroup);
  if (group.isSystemGroup) return refused(systemGroupReason);
  return allowedIf(isManager(state, group, nowMs), `You do not have permission to change the group ${group.name}.`);
}

/** Below level 299 members of a group and moderators can change it, if the organization's policy allows that. */
function isManager(state: AccountState, group: Group, nowMs: number): boolean {
  const {realm, self} = state;
  const isAllowed = hasRealmPermission(state, 'canManageAllGroups', nowMs);
  if (realm.canManageAllGroups === undefined) {
    return isAllowed && !isGuest(state) && (isModerator(state) || group.members.has(self.userId));
  }
  return isAllowed || hasGroupPermission(state, group, 'canManageGroup', nowMs) === true;
}

export function canAddToGroup(state: AccountState, groupId: number, nowMs: number): Permission {
  return canChangeMembers(state, groupId, nowMs, ['canAddMembersGroup'], 'add people to');
}

export function canRemoveFromGroup(state: AccountState, groupId: number, nowMs: number): Permission {
  return canChangeMembers(state, groupId, nowMs, ['canRemoveMembersGroup'], 'remove people from');
}

export function canJoinGroup(state: AccountState, groupId: number, nowMs: number): Permission {
  return canChangeMembers(state, groupId, nowMs, ['canAddMembersGroup', 'canJoinGroup'], 'join');
}

export function canLeaveGroup(state: AccountState, groupId: number, nowMs: number): Permission {
  return canChangeMembers(state, groupId, nowMs, ['canRemoveMembersGroup', 'canLeaveGroup'], 'leave');
}

function canChangeMembers(
  state: AccountState,
  groupId: number,
  nowMs: number,
  names: readonly GroupPermissionName[],
  verb: string,
): Permission {
  const group = state.groups.get(groupId);
  if (group === undefined) return refused(unknownGroup);
  if (group.isSystemGroup) return refused(systemGroupReason);
  if (group.isDeactivated) return refused(`The group ${group.name} is deactivated.`);
  if (isManager(state, group, nowMs)) return allowed;
  const isAllowed = names.some((name) => hasGroupPermission(state, group, name, nowMs) === true);
  return allowedIf(isAllowed, `You do not have permission to ${verb} the group ${group.name}.`);
}
