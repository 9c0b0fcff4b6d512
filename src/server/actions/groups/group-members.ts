import {trackGroupChannelAccess} from '#server/actions/channels/track-channel-access.ts';
import {sendNotice} from '#server/actions/messages/send-message.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {directSubgroupIds, type GroupRow, nestedGroupIds, unknownUserIds} from '#server/db/groups.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {type Route, route} from '#server/http/route.ts';
import {activeGroupIds, canChangeGroup, requireActiveGroup, requireGroup} from '#server/permissions/groups.ts';
import {groupIndex} from '#server/permissions/has-permission.ts';
import {requireActivePerson} from '#server/permissions/user-access.ts';
import {allMemberIds, directMemberIds} from '#server/views/group.ts';
import {endpoints} from '#wire/endpoints.ts';

export const groupMemberRoutes: readonly Route[] = [
  route(endpoints.getGroupMembers, (call, params) => ({
    members: memberIds(call, params.user_group_id, params.direct_member_only),
  })),
  route(endpoints.isGroupMember, (call, params) => {
    const members = memberIds(call, params.user_group_id, params.direct_member_only);
    const user = requireActivePerson(call, call.actor, params.user_id);
    return {is_user_group_member: members.includes(user.id)};
  }),
  route(endpoints.updateGroupMembers, (call, params) => {
    const people = {add: params.add, remove: params.delete};
    const groups = {add: params.add_subgroups ?? [], remove: params.delete_subgroups ?? []};
    const isEmpty = [people, groups].every(({add, remove}) => add.length + remove.length === 0);
    if (isEmpty)
      throw badRequest(
        'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
      );
    const group = requireGroup(call, params.user_group_id);
    changeGroupMembers(call, group, people);
    changeSubgroups(call, group, groups);
  }),
  route(endpoints.getSubgroups, (call, params) => {
    const {id} = requireActiveGroup(call, params.user_group_id);
    const {db} = call;
    return {subgroups: params.direct_subgroup_only ? directSubgroupIds(db, id) : nestedGroupIds(db, id)};
  }),
  route(endpoints.updateSubgroups, (call, params) => {
    if (params.add.length + params.delete.length === 0) {
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
    }
    changeSubgroups(call, requireGroup(call, params.user_group_id), {add: params.add, remove: params.delete});
  }),
];

function memberIds(call: RequestContext, groupId: number, direct: boolean): number[] {
  const group = requireActiveGroup(call, groupId);
  return direct ? directMemberIds(call, group) : allMemberIds(call, group);
}

interface MembershipChanges {
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

/** Adds and then removes members. Each step checks the permission that it needs. */
function changeGroupMembers(act: RequestContext, group: GroupRow, {add, remove}: MembershipChanges): void {
  const {actor} = act;
  const isSelf = (ids: readonly number[]) => ids.length === 1 && ids[0] === actor.id;
  const change = (op: string, ids: readonly number[], store: () => void, what: string) => {
    trackGroupChannelAccess(act, () => {
      store();
      emit(act, {op, group_id: group.id, user_ids: [...new Set(ids)]});
    });
    sendMemberNotices(act, actor, ids, `${what} the group @_*${group.name}*.`);
  };
  if (add.length > 0) {
    checkAllowed(canChangeGroup(act, actor, group, isSelf(add) ? 'join' : 'add'));
    change('add_members', add, () => addMembersUnchecked(act, group, add), 'added you to');
  }
  if (remove.length > 0) {
    checkUsers(act, remove);
    checkAllowed(canChangeGroup(act, actor, group, isSelf(remove) ? 'leave' : 'remove'));
    change('remove_members', remove, () => removeMembersUnchecked(act, group, remove), 'removed you from');
  }
}

function checkAllowed(isAllowed: boolean): void {
  if (!isAllowed) throw badRequest('Insufficient permission');
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

/** Adds and then removes subgroups. Only those who manage the group remove them. */
function changeSubgroups(act: RequestContext, group: GroupRow, {add, remove}: MembershipChanges): void {
  const {actor} = act;
  const change = (op: string, ids: readonly number[], store: () => void) =>
    trackGroupChannelAccess(act, () => {
      store();
      emit(act, {op, group_id: group.id, direct_subgroup_ids: [...new Set(ids)]});
    });
  if (add.length > 0) {
    checkAllowed(canChangeGroup(act, actor, group, 'add'));
    change('add_subgroups', add, () => addSubgroupsUnchecked(act, group, add));
  }
  if (remove.length > 0) {
    checkAllowed(canChangeGroup(act, actor, group, 'manage'));
    change('remove_subgroups', remove, () => removeSubgroupsUnchecked(act, group, remove));
  }
}

export function checkUsers(act: ActionContext, ids: readonly number[]): void {
  const [unknown] = unknownUserIds(act.db, ids);
  if (unknown !== undefined) throw badRequest(`Invalid user ID: ${unknown}`);
}

/** Adds members without a permission check; throws for unknown users and existing members. */
export function addMembersUnchecked(act: ActionContext, group: GroupRow, userIds: readonly number[]): void {
  const ids = [...new Set(userIds)];
  checkUsers(act, ids);
  const sql = 'SELECT user_id FROM group_member WHERE group_id = ? AND user_id IN (SELECT value FROM json_each(?))';
  const [present] = act.db.pluck(sql, group.id, JSON.stringify(ids));
  if (present !== undefined) throw badRequest(`User ${present} is already a member of this group`);
  const insert = 'INSERT INTO group_member (group_id, user_id) SELECT ?, value FROM json_each(?)';
  act.db.run(insert, group.id, JSON.stringify(ids));
  act.server.derivedFacts.invalidate(groupIndex);
}

function removeMembersUnchecked(act: ActionContext, group: GroupRow, userIds: readonly number[]): void {
  for (const id of new Set(userIds)) {
    const deleted = act.db.run('DELETE FROM group_member WHERE group_id = ? AND user_id = ?', group.id, id);
    if (deleted === 0) throw badRequest(`There is no member '${id}' in this user group`);
  }
  act.server.derivedFacts.invalidate(groupIndex);
}

/** Adds subgroups without a permission check; throws for cycles and existing subgroups. */
export function addSubgroupsUnchecked(act: ActionContext, group: GroupRow, groupIds: readonly number[]): void {
  const ids = activeGroupIds(act, groupIds);
  const present = directSubgroupIds(act.db, group.id).find((id) => ids.includes(id));
  if (present !== undefined) throw badRequest(`User group ${present} is already a subgroup of this group.`);
  if (ids.some((id) => id === group.id || nestedGroupIds(act.db, id).includes(group.id))) {
    throw badRequest(`User group ${group.id} is already a subgroup of one of the passed subgroups.`);
  }
  for (const id of ids) {
    act.db.insertRow('group_subgroup', {group_id: group.id, subgroup_id: id});
  }
  act.server.derivedFacts.invalidate(groupIndex);
}

function removeSubgroupsUnchecked(act: ActionContext, group: GroupRow, groupIds: readonly number[]): void {
  for (const id of activeGroupIds(act, groupIds)) {
    const deleted = act.db.run('DELETE FROM group_subgroup WHERE group_id = ? AND subgroup_id = ?', group.id, id);
    if (deleted === 0) throw badRequest(`User group ${id} is not a subgroup of this group.`);
  }
  act.server.derivedFacts.invalidate(groupIndex);
}

function emit(act: ActionContext, body: Readonly<Record<string, unknown>>): void {
  act.emit({type: 'user_group', to: 'everyone', body});
}
