import {trackGroupChannelAccess} from '#server/actions/channels/track-channel-access.ts';
import {sendNotice} from '#server/actions/messages/send-message.ts';
import type {ActionContext} from '#server/context.ts';
import {type GroupRow, nestedGroupIds, unknownUserIds} from '#server/db/groups.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {groupIndex} from '#server/permissions/group-index.ts';
import {requireActiveGroup} from '#server/permissions/group-setting.ts';
import {canAddMembers, canJoinGroup, canLeaveGroup, canRemoveMembers} from '#server/permissions/groups.ts';

export interface MembershipChanges {
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

export function changeGroupMembers(
  act: ActionContext,
  actor: UserRow,
  group: GroupRow,
  {add, remove}: MembershipChanges,
): void {
  checkEditable(group);
  if (remove.length > 0 && !canRemove(act, actor, group, remove)) throw badRequest('Insufficient permission');
  if (add.length > 0 && !canAdd(act, actor, group, add)) throw badRequest('Insufficient permission');
  trackGroupChannelAccess(act, () => {
    addMembersUnchecked(act, group, add);
    removeMembersUnchecked(act, group, remove);
  });
  const event = (op: string, ids: readonly number[]) =>
    emit(act, {op, group_id: group.id, user_ids: [...new Set(ids)]});
  if (add.length > 0) {
    event('add_members', add);
    sendMemberNotices(act, actor, add, `added you to the group @_*${group.name}*.`);
  }
  if (remove.length > 0) {
    event('remove_members', remove);
    sendMemberNotices(act, actor, remove, `removed you from the group @_*${group.name}*.`);
  }
}

/** Adds a new user to a group that their invitation names. The inviter's permission was checked when they invited. */
export function addInvitedMember(act: ActionContext, group: GroupRow, user: UserRow): void {
  trackGroupChannelAccess(act, () => addMembersUnchecked(act, group, [user.id]));
  emit(act, {op: 'add_members', group_id: group.id, user_ids: [user.id]});
}

/** Tells people that somebody else added them or removed them. */
function sendMemberNotices(act: ActionContext, actor: UserRow, ids: readonly number[], what: string): void {
  for (const id of new Set(ids)) {
    const user = findUser(act.db, id);
    if (id === actor.id || user === undefined || user.is_bot === 1 || user.is_active === 0) continue;
    sendNotice(act, {kind: 'direct', userIds: [id]}, `@_**${actor.full_name}|${actor.id}** ${what}`);
  }
}

export function changeSubgroups(act: ActionContext, actor: UserRow, group: GroupRow, changes: MembershipChanges): void {
  checkEditable(group);
  const {add, remove} = changes;
  const allowed =
    (add.length === 0 || canAddMembers(act, actor, group)) &&
    (remove.length === 0 || canRemoveMembers(act, actor, group));
  if (!allowed) throw badRequest('Insufficient permission');
  trackGroupChannelAccess(act, () => {
    removeSubgroupsUnchecked(act, group, remove);
    addSubgroupsUnchecked(act, group, add);
  });
  const event = (op: string, ids: readonly number[]) =>
    emit(act, {op, group_id: group.id, direct_subgroup_ids: [...new Set(ids)]});
  if (remove.length > 0) event('remove_subgroups', remove);
  if (add.length > 0) event('add_subgroups', add);
}

function canAdd(act: ActionContext, actor: UserRow, group: GroupRow, ids: readonly number[]): boolean {
  return ids.every((id) => id === actor.id) ? canJoinGroup(act, actor, group) : canAddMembers(act, actor, group);
}

function canRemove(act: ActionContext, actor: UserRow, group: GroupRow, ids: readonly number[]): boolean {
  return ids.every((id) => id === actor.id) ? canLeaveGroup(act, actor, group) : canRemoveMembers(act, actor, group);
}

/** Adds members without a permission check; throws for unknown users and existing members. */
export function addMembersUnchecked(act: ActionContext, group: GroupRow, userIds: readonly number[]): void {
  const ids = [...new Set(userIds)];
  const [unknown] = unknownUserIds(act.db, ids);
  if (unknown !== undefined) throw badRequest(`Invalid user ID: ${unknown}`);
  const [present] = act.db.pluck(
    'SELECT user_id FROM group_member WHERE group_id = ? AND user_id IN (SELECT value FROM json_each(?))',
    group.id,
    JSON.stringify(ids),
  );
  if (present !== undefined) throw badRequest(`User ${present} is already a member of this group`);
  act.db.run(
    'INSERT INTO group_member (group_id, user_id) SELECT ?, value FROM json_each(?)',
    group.id,
    JSON.stringify(ids),
  );
  act.server.derivedFacts.invalidate(groupIndex);
}

function removeMembersUnchecked(act: ActionContext, group: GroupRow, userIds: readonly number[]): void {
  for (const id of new Set(userIds)) {
    const deleted = act.db.run('DELETE FROM group_member WHERE group_id = ? AND user_id = ?', group.id, id);
    if (deleted === 0) throw badRequest(`There is no member '${id}' in this user group`);
  }
  act.server.derivedFacts.invalidate(groupIndex);
}

/**
 * Adds subgroups without a permission check; throws for cycles, unknown or deactivated groups and existing subgroups.
 */
export function addSubgroupsUnchecked(act: ActionContext, group: GroupRow, groupIds: readonly number[]): void {
  for (const id of new Set(groupIds)) {
    if (act.db.get('SELECT 1 FROM user_group WHERE id = ?', id) === undefined) {
      throw badRequest(`Invalid user group ID: ${id}`);
    }
    requireActiveGroup(act, id);
    if (id === group.id || nestedGroupIds(act.db, id).includes(group.id)) {
      throw badRequest(`User group ${group.id} is already a subgroup of one of the passed subgroups.`);
    }
    const added = act.db.run(
      'INSERT OR IGNORE INTO group_subgroup (group_id, subgroup_id) VALUES (?, ?)',
      group.id,
      id,
    );
    if (added === 0) throw badRequest(`User group ${id} is already a subgroup of this group.`);
  }
  act.server.derivedFacts.invalidate(groupIndex);
}

function removeSubgroupsUnchecked(act: ActionContext, group: GroupRow, groupIds: readonly number[]): void {
  for (const id of new Set(groupIds)) {
    const deleted = act.db.run('DELETE FROM group_subgroup WHERE group_id = ? AND subgroup_id = ?', group.id, id);
    if (deleted === 0) throw badRequest(`User group ${id} is not a subgroup of this group.`);
  }
  act.server.derivedFacts.invalidate(groupIndex);
}

function checkEditable(group: GroupRow): void {
  if (group.is_system === 1) throw badRequest('Insufficient permission');
  if (group.deactivated === 1) throw badRequest('User group is deactivated.');
}

function emit(act: ActionContext, body: Readonly<Record<string, unknown>>): void {
  act.emit({type: 'user_group', to: 'everyone', body});
}
