import {trackGroupChannelAccess} from '#server/actions/events/channel-events.ts';
import {forbiddenInNames, nameFor} from '#server/actions/inputs.ts';
import {sendPersonalNotice} from '#server/actions/messages/send-message.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {directSubgroupIds, findGroupByName, type GroupRow, nestedGroupIds, unknownUserIds} from '#server/db/groups.ts';
import {fold, type Ids, type UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {ApiError, badRequest, check} from '#server/errors.ts';
import {byCapability} from '#server/event-queues/event-queues.ts';
import {groupPermissionRules, type PermissionRule} from '#server/organization/permission-rules.ts';
import {
  activeGroupIds,
  canChangeGroup,
  changedGroupSetting,
  checkedGroupSetting,
  groupPermissions,
  requireActiveGroup,
  requireGroup,
  settingIncludesGroup,
} from '#server/permissions/group.ts';
import {groupIndex, organization} from '#server/permissions/has-permission.ts';
import {requireActivePerson} from '#server/permissions/user-access.ts';
import {type Route, route} from '#server/route.ts';
import {allMemberIds, directMemberIds, groupView, groupViews} from '#server/views/group.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {OutgoingBody} from '#wire/events.ts';
import {type GroupSetting, type GroupSettingName, groupSettingNames} from '#wire/objects/group.ts';

const maxNameLength = 100;
const refusedPrefixes = ['@', 'role:', 'user:', 'stream:', 'channel:'];

type NewGroup = ParamsOf<typeof endpoints.createGroup>;
type GroupChanges = ParamsOf<typeof endpoints.updateGroup>;

export const groupRoutes: readonly Route[] = [
  route(endpoints.getGroups, 'member', (call, params) => ({
    user_groups: groupViews(call, {includeDeactivated: params.include_deactivated_groups}),
  })),
  route(endpoints.createGroup, 'group-creator', (call, params) => ({group_id: createGroup(call, params)})),
  route(endpoints.updateGroup, 'member', updateGroup),
  route(endpoints.deactivateGroup, 'account', (call, params) =>
    deactivateGroup(call, requireGroup(call, params.user_group_id)),
  ),
  route(endpoints.deleteGroup, 'member', (call, params) =>
    deactivateGroup(call, requireGroup(call, params.user_group_id)),
  ),

  route(endpoints.getGroupMembers, 'member', (call, params) => ({
    members: memberIds(call, params.user_group_id, params.direct_member_only),
  })),
  route(endpoints.isGroupMember, 'member', (call, params) => {
    const members = memberIds(call, params.user_group_id, params.direct_member_only);
    const user = requireActivePerson(call, call.actor, params.user_id);
    return {is_user_group_member: members.includes(user.id)};
  }),
  route(endpoints.updateGroupMembers, 'member', (call, params) => {
    const people = {add: params.add, remove: params.delete};
    const groups = {add: params.add_subgroups ?? [], remove: params.delete_subgroups ?? []};
    const isEmpty = [people, groups].every(({add, remove}) => add.length + remove.length === 0);
    check(!isEmpty, 'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".');
    const group = requireGroup(call, params.user_group_id);
    changeGroupMembers(call, group, people);
    changeSubgroups(call, group, groups);
  }),
  route(endpoints.getSubgroups, 'member', (call, params) => {
    const {id} = requireActiveGroup(call, params.user_group_id);
    const {db} = call;
    return {subgroups: params.direct_subgroup_only ? directSubgroupIds(db, id) : nestedGroupIds(db, id)};
  }),
  route(endpoints.updateSubgroups, 'member', (call, params) => {
    check(params.add.length + params.delete.length !== 0, 'Nothing to do. Specify at least one of "add" or "delete".');
    changeSubgroups(call, requireGroup(call, params.user_group_id), {add: params.add, remove: params.delete});
  }),
];

/** Creates a group. Whether the actor may was checked before the parameters, by the access of the route. */
function createGroup(act: RequestContext, input: NewGroup): number {
  const {subgroups = []} = input;
  checkUsers(act, input.members);
  const name = checkedGroupName(input.name);
  const permissions = initialPermissions(act, input);
  checkUnused(act, name);
  const id = act.db.insertRow('user_group', {
    name,
    name_key: fold(name),
    description: input.description,
    created_at: act.now,
    creator_id: act.actor.id,
    permissions: JSON.stringify(permissions),
  });
  const group = requireGroup(act, id);
  addMembersUnchecked(act, group, input.members);
  act.server.derivedFacts.invalidate(groupIndex);
  act.emit('user_group', 'everyone', {op: 'add', group: groupView(act, group)});
  if (subgroups.length > 0) {
    addSubgroupsUnchecked(act, group, subgroups);
    const body = {op: 'add_subgroups' as const, group_id: id, direct_subgroup_ids: [...new Set(subgroups)]};
    act.emit('user_group', 'everyone', body);
  }
  return id;
}

/** Returns the permissions of a new group. By default its creator manages it. */
function initialPermissions(act: RequestContext, input: NewGroup): Partial<Record<GroupSettingName, GroupSetting>> {
  const creator: GroupSetting = {direct_members: [act.actor.id], direct_subgroups: []};
  const permissions: Partial<Record<GroupSettingName, GroupSetting>> = {
    can_add_members_group: creator,
    can_manage_group: creator,
  };
  for (const name of groupSettingNames) {
    const value = input[name];
    if (value !== undefined) permissions[name] = checkedGroupSetting(act, name, value, ruleOf(name));
  }
  return permissions;
}

const changeable = ['name', 'description', 'deactivated', ...groupSettingNames] as const;

/** Changes a group. As on Zulip's servers, each changed property is an event of its own. */
function updateGroup(act: RequestContext, changes: GroupChanges): void {
  check(!changeable.every((name) => changes[name] === undefined), 'No new data supplied');
  const group = requireGroup(act, changes.user_group_id);
  check(canChangeGroup(act, act.actor, group, 'manage'), 'Insufficient permission');
  const {name, description} = changes;
  if (name !== undefined && name !== group.name) {
    checkUnused(act, checkedGroupName(name));
    act.db.updateRow('user_group', group.id, {name, name_key: fold(name)});
    emitUpdate(act, group, {name});
  }
  if (description !== undefined && description !== group.description) {
    act.db.updateRow('user_group', group.id, {description});
    emitUpdate(act, group, {description});
  }
  if (changes.deactivated === false && group.deactivated === 1) reactivate(act, requireGroup(act, group.id));
  changePermissions(act, group, changes);
}

function changePermissions(act: ActionContext, group: GroupRow, changes: GroupChanges): void {
  const current = groupPermissions(group);
  const data: Partial<Record<GroupSettingName, GroupSetting>> = {};
  for (const name of groupSettingNames) {
    const change = changes[name];
    if (change === undefined) continue;
    const value = changedGroupSetting(act, name, change, current[name], ruleOf(name));
    if (JSON.stringify(value) === JSON.stringify(current[name])) continue;
    data[name] = value;
    emitUpdate(act, group, {[name]: value});
  }
  if (Object.keys(data).length === 0) return;
  const permissions = JSON.stringify({...JSON.parse(group.permissions), ...data});
  act.db.updateRow('user_group', group.id, {permissions});
}

function deactivateGroup(act: RequestContext, group: GroupRow): void {
  check(group.deactivated !== 1, 'User group is deactivated.');
  check(canChangeGroup(act, act.actor, group, 'manage'), 'Insufficient permission');
  const objections = groupObjections(act, group.id);
  if (objections.length > 0) {
    throw new ApiError('CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.', 400, {objections});
  }
  act.db.updateRow('user_group', group.id, {deactivated: 1});
  const update = {op: 'update' as const, group_id: group.id, data: {deactivated: true}};
  const remove = {op: 'remove' as const, group_id: group.id};
  const body = byCapability('include_deactivated_groups', (isSupported) => (isSupported ? update : remove));
  act.emit('user_group', 'everyone', body);
}

function reactivate(act: ActionContext, group: GroupRow): void {
  act.db.updateRow('user_group', group.id, {deactivated: 0});
  const update = {op: 'update' as const, group_id: group.id, data: {deactivated: false}};
  const add = {op: 'add' as const, group: groupView(act, {...group, deactivated: 0})};
  const body = byCapability('include_deactivated_groups', (isSupported) => (isSupported ? update : add));
  act.emit('user_group', 'everyone', body);
}

type GroupData = Extract<OutgoingBody<'user_group'>, {op: 'update'}>['data'];

/** Emits a changed property. The new name of a deactivated group goes only to clients that support those. */
function emitUpdate(act: ActionContext, group: GroupRow, data: GroupData): void {
  const update = {op: 'update' as const, group_id: group.id, data};
  const isHidden = group.deactivated === 1 && 'name' in data;
  const body = byCapability('include_deactivated_groups', (isKnown) => (isHidden && !isKnown ? undefined : update));
  act.emit('user_group', 'everyone', body);
}

function checkedGroupName(name: string): string {
  check(name.trim() !== '', "User group name can't be empty!");
  check([...name].length <= maxNameLength, `User group name cannot exceed ${maxNameLength} characters.`);
  check(!forbiddenInNames.test(name), 'Invalid character in user group name.');
  const prefix = refusedPrefixes.find((candidate) => name.startsWith(candidate));
  check(prefix === undefined, `User group name cannot start with '${prefix}'.`);
  return name;
}

/** Names are unique by exact case. */
function checkUnused(act: ActionContext, name: string): void {
  if (findGroupByName(act.db, name)?.name === name) throw badRequest(`User group '${name}' already exists.`);
}

function ruleOf(name: GroupSettingName): PermissionRule {
  const rule = groupPermissionRules[name];
  if (rule === undefined) throw new Error(`No rule for ${name}`);
  return rule;
}

/** A use of a group that prevents its deactivation: a supergroup, or settings that grant it a permission. */
type GroupObjection =
  | {type: 'subgroup'; supergroup_ids: number[]}
  | {type: 'channel'; channel_id: number; settings: string[]}
  | {type: 'user_group'; group_id: number; settings: string[]}
  | {type: 'realm'; settings: string[]};

function groupObjections(act: ActionContext, groupId: number): GroupObjection[] {
  const objections: GroupObjection[] = [];
  const sql = `SELECT s.group_id FROM group_subgroup AS s JOIN user_group AS g ON g.id = s.group_id AND g.deactivated = 0
     WHERE s.subgroup_id = ? ORDER BY s.group_id`;
  const supergroups = act.db.pluck(sql, groupId);
  if (supergroups.length > 0) objections.push({type: 'subgroup', supergroup_ids: supergroups});
  for (const {id, permissions} of rowsWithPermissions(act, 'channel', 'is_archived = 0')) {
    const settings = settingsWithGroup(JSON.parse(permissions), groupId);
    if (settings.length > 0) objections.push({type: 'channel', channel_id: id, settings});
  }
  for (const {id, permissions} of rowsWithPermissions(act, 'user_group', 'deactivated = 0')) {
    const settings = settingsWithGroup(JSON.parse(permissions), groupId);
    if (settings.length > 0) objections.push({type: 'user_group', group_id: id, settings});
  }
  const settings = settingsWithGroup(organization(act), groupId, (name) => /group/.test(name));
  if (settings.length > 0) objections.push({type: 'realm', settings});
  return objections;
}

function rowsWithPermissions(act: ActionContext, table: 'channel' | 'user_group', condition: string) {
  return act.db.all<{id: number; permissions: string}>(
    `SELECT id, permissions FROM ${table} WHERE permissions <> '{}' AND ${condition} ORDER BY id`,
  );
}

function settingsWithGroup(
  settings: Readonly<Record<string, unknown>>,
  groupId: number,
  isRelevant: (name: string) => boolean = () => true,
): string[] {
  return Object.keys(settings).filter((name) => isRelevant(name) && settingIncludesGroup(settings[name], groupId));
}

function memberIds(call: RequestContext, groupId: number, direct: boolean): number[] {
  const group = requireActiveGroup(call, groupId);
  return direct ? directMemberIds(call, group) : allMemberIds(call, group);
}

interface MembershipChanges {
  readonly add: Ids;
  readonly remove: Ids;
}

/** Adds and then removes members. Each step checks the permission that it needs. */
function changeGroupMembers(act: RequestContext, group: GroupRow, {add, remove}: MembershipChanges): void {
  const {actor} = act;
  const isSelf = (ids: Ids) => ids.length === 1 && ids[0] === actor.id;
  const change = (op: 'add_members' | 'remove_members', ids: Ids, store: () => void, what: string) => {
    trackGroupChannelAccess(act, () => {
      store();
      emitGroup(act, {op, group_id: group.id, user_ids: [...new Set(ids)]});
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
  check(isAllowed, 'Insufficient permission');
}

/** Adds a new user to a group that their invitation names. The inviter's permission was checked when they invited. */
export function addInvitedMember(act: ActionContext, group: GroupRow, user: UserRow): void {
  trackGroupChannelAccess(act, () => addMembersUnchecked(act, group, [user.id]));
  emitGroup(act, {op: 'add_members', group_id: group.id, user_ids: [user.id]});
}

/** Tells people that somebody else added them or removed them. */
function sendMemberNotices(act: ActionContext, actor: UserRow, ids: Ids, what: string): void {
  for (const id of new Set(ids)) {
    const user = findUser(act.db, id);
    if (id === actor.id || user === undefined || user.is_bot === 1 || user.is_active === 0) continue;
    sendPersonalNotice(act, id, `${nameFor(act, user, actor)} ${what}`);
  }
}

/** Adds and then removes subgroups. Only those who manage the group remove them. */
function changeSubgroups(act: RequestContext, group: GroupRow, {add, remove}: MembershipChanges): void {
  const {actor} = act;
  const change = (op: 'add_subgroups' | 'remove_subgroups', ids: Ids, store: () => void) =>
    trackGroupChannelAccess(act, () => {
      store();
      emitGroup(act, {op, group_id: group.id, direct_subgroup_ids: [...new Set(ids)]});
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

function checkUsers(act: ActionContext, ids: Ids): void {
  const [unknown] = unknownUserIds(act.db, ids);
  check(unknown === undefined, `Invalid user ID: ${unknown}`);
}

/** Adds members without a permission check; throws for unknown users and existing members. */
function addMembersUnchecked(act: ActionContext, group: GroupRow, userIds: Ids): void {
  const ids = [...new Set(userIds)];
  checkUsers(act, ids);
  const sql = 'SELECT user_id FROM group_member WHERE group_id = ? AND user_id IN (SELECT value FROM json_each(?))';
  const [present] = act.db.pluck(sql, group.id, JSON.stringify(ids));
  check(present === undefined, `User ${present} is already a member of this group`);
  const insert = 'INSERT INTO group_member (group_id, user_id) SELECT ?, value FROM json_each(?)';
  act.db.run(insert, group.id, JSON.stringify(ids));
  act.server.derivedFacts.invalidate(groupIndex);
}

function removeMembersUnchecked(act: ActionContext, group: GroupRow, userIds: Ids): void {
  for (const id of new Set(userIds)) {
    const deleted = act.db.deleteRows('group_member', {group_id: group.id, user_id: id});
    check(deleted !== 0, `There is no member '${id}' in this user group`);
  }
  act.server.derivedFacts.invalidate(groupIndex);
}

/** Adds subgroups without a permission check; throws for cycles and existing subgroups. */
function addSubgroupsUnchecked(act: ActionContext, group: GroupRow, groupIds: Ids): void {
  const ids = activeGroupIds(act, groupIds);
  const present = directSubgroupIds(act.db, group.id).find((id) => ids.includes(id));
  check(present === undefined, `User group ${present} is already a subgroup of this group.`);
  check(
    !ids.some((id) => id === group.id || nestedGroupIds(act.db, id).includes(group.id)),
    `User group ${group.id} is already a subgroup of one of the passed subgroups.`,
  );
  for (const id of ids) {
    act.db.insertRow('group_subgroup', {group_id: group.id, subgroup_id: id});
  }
  act.server.derivedFacts.invalidate(groupIndex);
}

function removeSubgroupsUnchecked(act: ActionContext, group: GroupRow, groupIds: Ids): void {
  for (const id of activeGroupIds(act, groupIds)) {
    const deleted = act.db.deleteRows('group_subgroup', {group_id: group.id, subgroup_id: id});
    check(deleted !== 0, `User group ${id} is not a subgroup of this group.`);
  }
  act.server.derivedFacts.invalidate(groupIndex);
}

function emitGroup(act: ActionContext, body: OutgoingBody<'user_group'>): void {
  act.emit('user_group', 'everyone', body);
}
