import {requireParameters} from '#api/encode-request.ts';
import {UsageError} from '#cli/io.ts';
import {
  groupArgument,
  namesUsers,
  permissionArguments,
  permissionChanges,
  requirePermission,
  userArgument,
} from '#cli/name-arguments.ts';
import {cutTableText, tableText} from '#cli/table-lines.ts';
import type {GroupChange} from '#state/actions/administration.ts';
import type {Group} from '#state/model/user.ts';
import {distinctUserName, sortedByName} from '#state/selectors/names/names.ts';
import {canChangeGroup, canCreateGroup} from '#state/selectors/permissions/people-permissions.ts';
import type {GroupPermissionName} from '#state/selectors/permissions/permission.ts';
import {composed, joined} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {endpoints} from '#wire/endpoints.ts';
import {groupSettingNames} from '#wire/objects/group.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {groupLabel, groupSettingText} from '#wording/group-names.ts';
import {sessionVerb, stateVerb} from './account-verb.ts';
import type {VerbRunner} from './verb-table.ts';

const fetch = ['realm_user_groups', 'realm'] as const;
const needs = {fetch, people: 'self'} as const;
const needsUsers = {fetch, people: 'all'} as const;

export const groupList: VerbRunner<'group list'> = stateVerb(
  {...needs, fetch: ['realm_user_groups']},
  async ({state, io, values}) => {
    const isShown = (group: Group) => values.all || (!group.isSystemGroup && !group.isDeactivated);
    const groups = sortedByName([...state.groups.values()].filter(isShown), ({name}) => name);
    const rows = groups.map(({id, description, isSystemGroup, isDeactivated, members}) => [
      String(id),
      composed`${groupLabel(state, id)}${isDeactivated ? ' (deactivated)' : ''}`,
      isSystemGroup ? 'by role' : countedNoun(members.size, 'direct member'),
      description,
    ]);
    return {json: groups.map(groupJson), text: rows.length === 0 ? 'No groups.' : cutTableText(io, rows)};
  },
);

function groupJson({id, name, description, isSystemGroup, isDeactivated, members, subgroupIds}: Group) {
  return {id, name, description, isSystemGroup, isDeactivated, memberIds: [...members], subgroupIds: [...subgroupIds]};
}

/** The permissions of a group, as they are printed. */
const permissionLabels: Readonly<Record<GroupPermissionName, string>> = {
  canManageGroup: 'Manage',
  canAddMembersGroup: 'Add members',
  canRemoveMembersGroup: 'Remove members',
  canJoinGroup: 'Join',
  canLeaveGroup: 'Leave',
  canMentionGroup: 'Mention',
};

export const groupShow: VerbRunner<'group show'> = stateVerb(needsUsers, async ({state, words, matching}) => {
  const group = groupArgument(state, words[0] ?? '', matching);
  const permissions = Object.entries(permissionLabels).flatMap(([name, label]) => {
    // The table has exactly the names of the type.
    const setting = group[name as GroupPermissionName];
    return setting === undefined ? [] : [{name, label, setting}];
  });
  const names = [...group.members].map((id) => distinctUserName(state, id));
  const rows = [
    ['Name', groupLabel(state, group.id)],
    ['Id', String(group.id)],
    ['Description', group.description],
    ['Members', group.isSystemGroup ? 'by role' : joined(sortedByName(names, (name) => name))],
    ['Subgroups', joined([...group.subgroupIds].map((id) => groupLabel(state, id)))],
    ['Active', group.isDeactivated ? 'no (deactivated)' : 'yes'],
    ...permissions.map(({label, setting}) => [label, groupSettingText(state, setting)]),
  ];
  const settings = Object.fromEntries(permissions.map(({name, setting}) => [name, setting]));
  return {
    json: {...groupJson(group), permissions: settings},
    text: tableText(rows.filter(([, value]) => value !== '')),
  };
});

export const groupCreate: VerbRunner<'group create'> = stateVerb(
  ({values}) => ({fetch, people: values.user.length > 0 || namesUsers(values.permission) ? 'all' : 'self'}),
  async ({api, state, io, values, words}) => {
    const name = (words[0] ?? '').trim();
    requirePermission(canCreateGroup(state, io.clock.now()));
    const subgroups = values.subgroup.map((text) => groupArgument(state, text).id);
    const args = {
      name,
      description: values.description ?? '',
      members: values.user.map((text) => userArgument(state, text).id),
      ...(subgroups.length > 0 && {subgroups}),
      ...permissionArguments(state, groupSettingNames, values.permission),
    };
    requireParameters(endpoints.createGroup, Object.keys(args), api.connection.level);
    const {group_id} = await api.createGroup(args);
    return {json: {id: group_id ?? null, name}, text: composed`Created the group ${printableLine(name)}.`};
  },
);

export const groupEdit: VerbRunner<'group edit'> = sessionVerb(
  ({values}) => ({fetch, people: namesUsers(values.permission) ? 'all' : 'self'}),
  async (context) => {
    const {api, io, state, session, values, words} = context;
    const group = groupArgument(state, words[0] ?? '');
    const change: GroupChange = {
      ...(values.name !== undefined && {name: values.name.trim()}),
      ...(values.description !== undefined && {description: values.description}),
      ...permissionChanges(state, groupSettingNames, values.permission),
    };
    const changed = Object.keys(change);
    if (changed.length === 0) throw new UsageError('Give at least one of --name, --description, --permission.');
    requirePermission(canChangeGroup(state, 'manage', group.id, io.clock.now()));
    requireParameters(endpoints.updateGroup, changed, api.connection.level);
    await session.api.updateGroup({user_group_id: group.id, ...change});
    return {
      json: {id: group.id, changed},
      text: composed`Changed the group ${printableLine(change.name ?? group.name)}.`,
    };
  },
);

export const groupDeactivate = activityVerb(false, 'Deactivated');
export const groupReactivate = activityVerb(true, 'Reactivated');

function activityVerb(isActive: boolean, done: string): VerbRunner<'group deactivate' | 'group reactivate'> {
  return sessionVerb({fetch, people: 'self'}, async (context) => {
    const {io, state, session, words} = context;
    const group = groupArgument(state, words[0] ?? '');
    const {id} = group;
    requirePermission(canChangeGroup(state, 'manage', group.id, io.clock.now()));
    // A group that already is so needs no request, which the server would refuse.
    if (group.isDeactivated === isActive) {
      await (isActive
        ? session.api.updateGroup({user_group_id: id, deactivated: false})
        : session.api.deactivateGroup({user_group_id: id}));
    }
    return {json: {id, isActive}, text: composed`${done} the group ${printableLine(group.name)}.`};
  });
}

/** How members are added and removed: the parameters, the permission for others and that for oneself, and the output. */
const memberChanges = {
  add: {
    parameters: ['add', 'add_subgroups'],
    ofOneself: 'join',
    results: ['added', 'addedSubgroups'],
    done: (members: string, group: string) => composed`Added ${members} to ${group}.`,
  },
  remove: {
    parameters: ['delete', 'delete_subgroups'],
    ofOneself: 'leave',
    results: ['removed', 'removedSubgroups'],
    done: (members: string, group: string) => composed`Removed ${members} from ${group}.`,
  },
} as const;

export const groupAdd = membersVerb('add');
export const groupRemove = membersVerb('remove');

/** Sends no request when all of it is done already: the server would refuse it. */
function membersVerb(op: keyof typeof memberChanges): VerbRunner<'group add' | 'group remove'> {
  const {parameters, ofOneself, results, done} = memberChanges[op];
  const isPending = (present: {has(id: number): boolean}) => (id: number) => present.has(id) === (op === 'remove');
  return stateVerb({fetch, people: 'all'}, async (context) => {
    const {api, io, state, values, words} = context;
    const [name = '', ...users] = words;
    if (users.length + values.subgroup.length === 0) throw new UsageError('Name the members.');
    const group = groupArgument(state, name);
    const userIds = new Set(users.map((text) => userArgument(state, text).id));
    const subgroupIds = new Set(values.subgroup.map((text) => groupArgument(state, text).id));
    const ids = [
      [...userIds].filter(isPending(group.members)),
      [...subgroupIds].filter(isPending(group.subgroupIds)),
    ] as const;
    const isOnlySelf = ids[1].length === 0 && ids[0].every((id) => id === state.self.userId);
    // Only those who manage a group remove its subgroups.
    const action = isOnlySelf ? ofOneself : ids[1].length > 0 && op === 'remove' ? 'manage' : op;
    requirePermission(canChangeGroup(state, action, group.id, io.clock.now()));
    const given = parameters.flatMap((parameter, at) => (ids[at]?.length ? [[parameter, ids[at]] as const] : []));
    const parameterNames = given.map(([parameter]) => parameter);
    requireParameters(endpoints.updateGroupMembers, parameterNames, api.connection.level);
    if (given.length > 0) await api.updateGroupMembers({user_group_id: group.id, ...Object.fromEntries(given)});
    return {
      json: {id: group.id, [results[0]]: ids[0], [results[1]]: ids[1]},
      text: done(countedNoun(ids.flat().length, 'member'), printableLine(group.name)),
    };
  });
}
