import {forbiddenInNames} from '#server/actions/inputs/name-characters.ts';
import type {ActionContext} from '#server/context.ts';
import {findGroupByName, type GroupRow} from '#server/db/groups.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {byCapability, type EventBody} from '#server/event-queues/emitted-event.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {groupIndex} from '#server/permissions/group-index.ts';
import {changedGroupSetting, checkedGroupSetting} from '#server/permissions/group-setting.ts';
import {canCreateGroups, canManageGroup, groupPermissions, requireGroup} from '#server/permissions/groups.ts';
import {groupPermissionRules, type PermissionRule} from '#server/permissions/permission-rules.ts';
import {groupView} from '#server/views/group.ts';
import {type GroupSettingName, groupSettingNames} from '#wire/objects/group.ts';
import type {GroupSetting, GroupSettingChange} from '#wire/objects/group-setting.ts';
import {addMembersUnchecked, addSubgroupsUnchecked} from './group-members.ts';
import {groupObjections} from './group-objections.ts';

const maxNameLength = 100;
const refusedPrefixes = ['@', 'role:', 'user:', 'stream:', 'channel:'];

export interface NewGroup {
  readonly name: string;
  readonly description: string;
  readonly members: readonly number[];
  readonly subgroups: readonly number[];
  readonly permissions: Partial<Record<GroupSettingName, GroupSetting | undefined>>;
}

export function createGroup(act: ActionContext, actor: UserRow, input: NewGroup): number {
  if (!canCreateGroups(act, actor)) throw badRequest('Insufficient permission');
  const name = checkedName(act, input.name, undefined);
  const id = act.db.insert(
    `INSERT INTO user_group (name, name_key, description, created_at, creator_id, permissions)
     VALUES (?, ?, ?, ?, ?, ?)`,
    name,
    fold(name),
    input.description.trim(),
    act.now,
    actor.id,
    JSON.stringify(initialPermissions(act, actor, input.permissions)),
  );
  const group = requireGroup(act, id);
  addMembersUnchecked(act, group, input.members);
  act.server.derivedFacts.invalidate(groupIndex);
  act.emit({type: 'user_group', to: 'everyone', body: {op: 'add', group: groupView(act, group)}});
  if (input.subgroups.length > 0) {
    addSubgroupsUnchecked(act, group, input.subgroups);
    const body = {op: 'add_subgroups', group_id: id, direct_subgroup_ids: [...new Set(input.subgroups)]};
    act.emit({type: 'user_group', to: 'everyone', body});
  }
  return id;
}

/** Returns the permissions of a new group. By default its creator manages it. */
function initialPermissions(
  act: ActionContext,
  actor: UserRow,
  input: NewGroup['permissions'],
): Partial<Record<GroupSettingName, GroupSetting>> {
  const creator: GroupSetting = {direct_members: [actor.id], direct_subgroups: []};
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

export interface GroupChanges {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly deactivated: boolean | undefined;
  readonly permissions: Partial<Record<GroupSettingName, GroupSettingChange | undefined>>;
}

export function updateGroup(act: ActionContext, actor: UserRow, group: GroupRow, changes: GroupChanges): void {
  const requested = [changes.name, changes.description, changes.deactivated, ...Object.values(changes.permissions)];
  if (requested.every((value) => value === undefined)) throw badRequest('No new data supplied');
  if (!canManageGroup(act, actor, group)) throw badRequest('Insufficient permission');
  const data = {...textChanges(act, group, changes), ...permissionChanges(act, group, changes.permissions)};
  if (Object.keys(data).length > 0) {
    const {name = group.name, description = group.description, ...permissions} = data;
    act.db.run(
      'UPDATE user_group SET name = ?, name_key = ?, description = ?, permissions = ? WHERE id = ?',
      name,
      fold(name),
      description,
      JSON.stringify({...JSON.parse(group.permissions), ...permissions}),
      group.id,
    );
    emitGroupEvent(act, group, {op: 'update', group_id: group.id, data});
  }
  if (changes.deactivated === false && group.deactivated === 1) reactivate(act, requireGroup(act, group.id));
  if (changes.deactivated === true && group.deactivated === 0) deactivateGroup(act, actor, group);
}

function textChanges(
  act: ActionContext,
  group: GroupRow,
  changes: GroupChanges,
): {name?: string; description?: string} {
  const data: {name?: string; description?: string} = {};
  if (changes.name !== undefined) {
    const name = checkedName(act, changes.name, group);
    if (name !== group.name) data.name = name;
  }
  const description = changes.description?.trim();
  if (description !== undefined && description !== group.description) data.description = description;
  return data;
}

function permissionChanges(
  act: ActionContext,
  group: GroupRow,
  changes: GroupChanges['permissions'],
): Partial<Record<GroupSettingName, GroupSetting>> {
  const current = groupPermissions(group);
  const data: Partial<Record<GroupSettingName, GroupSetting>> = {};
  for (const name of groupSettingNames) {
    const change = changes[name];
    if (change === undefined) continue;
    const value = changedGroupSetting(act, name, change, current[name], ruleOf(name));
    if (JSON.stringify(value) !== JSON.stringify(current[name])) data[name] = value;
  }
  return data;
}

export function deactivateGroup(act: ActionContext, actor: UserRow, group: GroupRow): void {
  if (!canManageGroup(act, actor, group)) throw badRequest('Insufficient permission');
  if (group.deactivated === 1) throw badRequest('User group is deactivated.');
  const objections = groupObjections(act, group.id);
  if (objections.length > 0) {
    throw new ApiError(
      'CANNOT_DEACTIVATE_GROUP_IN_USE',
      'To deactivate this group, first take it out of the groups and settings that use it.',
      400,
      {objections},
    );
  }
  act.db.run('UPDATE user_group SET deactivated = 1 WHERE id = ?', group.id);
  const update = {op: 'update', group_id: group.id, data: {deactivated: true}};
  const remove = {op: 'remove', group_id: group.id};
  act.emit({
    type: 'user_group',
    to: 'everyone',
    body: byCapability(
      'include_deactivated_groups',
      () => update,
      () => remove,
    ),
  });
}

function reactivate(act: ActionContext, group: GroupRow): void {
  act.db.run('UPDATE user_group SET deactivated = 0 WHERE id = ?', group.id);
  const update = {op: 'update', group_id: group.id, data: {deactivated: false}};
  const add = {op: 'add', group: groupView(act, {...group, deactivated: 0})};
  act.emit({
    type: 'user_group',
    to: 'everyone',
    body: byCapability(
      'include_deactivated_groups',
      () => update,
      () => add,
    ),
  });
}

/** Emits a group event. Events of deactivated groups go only to clients that support those. */
function emitGroupEvent(act: ActionContext, group: Pick<GroupRow, 'deactivated'>, body: EventBody): void {
  act.emit({
    type: 'user_group',
    to: 'everyone',
    body:
      group.deactivated === 0
        ? body
        : byCapability(
            'include_deactivated_groups',
            () => body,
            () => undefined,
          ),
  });
}

function checkedName(act: ActionContext, input: string, renamed: GroupRow | undefined): string {
  const name = input.trim();
  if (name === '') throw badRequest("User group name can't be empty!");
  if ([...name].length > maxNameLength) {
    throw badRequest(`User group name cannot exceed ${maxNameLength} characters.`);
  }
  if (forbiddenInNames.test(name)) throw badRequest('Invalid character in user group name.');
  const prefix = refusedPrefixes.find((candidate) => name.toLowerCase().startsWith(candidate));
  if (prefix !== undefined) throw badRequest(`User group name cannot start with '${prefix}'.`);
  const taken = findGroupByName(act.db, name);
  if (taken !== undefined && taken.id !== renamed?.id) {
    throw badRequest(`User group '${name}' already exists.`);
  }
  return name;
}

function ruleOf(name: GroupSettingName): PermissionRule {
  const rule = groupPermissionRules[name];
  if (rule === undefined) throw new Error(`No rule for ${name}`);
  return rule;
}
