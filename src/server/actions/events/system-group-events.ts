import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {Role, SystemGroup} from '#server/permissions/system-groups.ts';
import {canAccessUser, isUserAccessLimited} from '#server/permissions/user-access.ts';
import {fullMemberSince} from '#server/views/group.ts';
import {viewerLookup} from './user-events.ts';

/** Returns the system groups with this user as a direct member, which follow from the role. */
function directSystemGroups(act: ActionContext, user: UserRow): number[] {
  if (user.is_active === 0 || user.is_system_bot === 1) return [];
  switch (user.role) {
    case Role.owner:
      return [SystemGroup.owners];
    case Role.admin:
      return [SystemGroup.administrators];
    case Role.moderator:
      return [SystemGroup.moderators];
    case Role.member:
      return user.joined_at <= fullMemberSince(act)
        ? [SystemGroup.members, SystemGroup.fullMembers]
        : [SystemGroup.members];
    default:
      return [SystemGroup.everyone];
  }
}

/** Emits the system groups that a user left and joined; `before` is undefined for a new account. */
export function emitSystemGroupChanges(act: ActionContext, before: UserRow | undefined, after: UserRow): void {
  const groupsBefore = before === undefined ? [] : directSystemGroups(act, before);
  const groupsAfter = directSystemGroups(act, after);
  const left = groupsBefore.filter((group) => !groupsAfter.includes(group));
  const joined = groupsAfter.filter((group) => !groupsBefore.includes(group));
  const isFullMembers = (group: number) => group === SystemGroup.fullMembers;
  // The group of the full members follows the group of the role.
  for (const last of [false, true]) {
    for (const group of left) if (isFullMembers(group) === last) emit(act, 'remove_members', group, after);
    for (const group of joined) if (isFullMembers(group) === last) emit(act, 'add_members', group, after);
  }
}

/** Emits the group memberships of a reactivated user. Clients removed them on deactivation without an event. */
export function emitRestoredGroupMemberships(act: ActionContext, user: UserRow): void {
  const groups = [...directSystemGroups(act, user).reverse(), ...customGroups(act, user)];
  for (const group of groups) emit(act, 'add_members', group, user);
}

/**
 * Emits the removal of a deactivated user from groups to viewers who cannot see the user and so get no event about the
 * deactivation.
 */
export function emitGroupRemovalToLimitedViewers(act: ActionContext, before: UserRow): void {
  if (!isUserAccessLimited(act)) return;
  const viewerOf = viewerLookup(act);
  for (const group of [...directSystemGroups(act, before), ...customGroups(act, before)]) {
    const body = {op: 'remove_members', group_id: group, user_ids: [before.id]};
    act.emit({
      type: 'user_group',
      to: 'everyone',
      body: (reader) => {
        const viewer = viewerOf(reader);
        return viewer === undefined || canAccessUser(act, viewer, before) ? undefined : body;
      },
    });
  }
}

function customGroups({db}: ActionContext, user: UserRow): number[] {
  return db.pluck('SELECT group_id FROM group_member WHERE user_id = ?', user.id);
}

function emit(act: ActionContext, op: 'add_members' | 'remove_members', groupId: number, user: UserRow): void {
  act.emit({type: 'user_group', to: 'everyone', body: {op, group_id: groupId, user_ids: [user.id]}});
}
