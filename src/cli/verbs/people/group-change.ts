import {requireParameters} from '#api/encode-request.ts';
import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {type StateContext, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {print, printJson} from '#cli/io.ts';
import {changeOnce, changeRepeatably} from '#cli/make-change.ts';
import {groupArgument, requirePermission, userArgument} from '#cli/name-arguments.ts';
import {namesUsers, permissionArguments} from '#cli/permission-arguments.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
import {deactivateGroup, type GroupChange, updateGroup} from '#state/actions/groups.ts';
import type {Group} from '#state/model/group.ts';
import {
  allowedIf,
  type GroupPermissionName,
  hasGroupPermission,
  hasRealmPermission,
  isGuest,
} from '#state/selectors/permissions/permission.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {endpoints} from '#wire/endpoints.ts';
import {groupSettingNames} from '#wire/objects/group.ts';

const fetch = ['realm_user_groups', 'realm'] as const;

export const groupCreate: VerbRunner<'group create'> = ({values, words}, io, signal) => {
  const name = (words[0] ?? '').trim();
  const people = values.user.length > 0 || namesUsers(values.permission) ? 'all' : 'self';
  return withState(values, io, signal, {fetch, people}, async ({api, state}) => {
    const now = io.clock.now();
    const legacy = {policy: {code: state.realm.userGroupEditPolicy}, fallback: 'role:members'} as const;
    const isAllowed = hasRealmPermission(state, state.self.userId, 'canCreateGroups', now, legacy);
    requirePermission(allowedIf(isAllowed, 'You do not have permission to create groups.'));
    const subgroups = values.subgroup.map((text) => groupArgument(state, text).id);
    const args = {
      name,
      description: values.description ?? '',
      members: values.user.map((text) => userArgument(state, text).id),
      ...(subgroups.length > 0 && {subgroups}),
      ...permissionArguments(state, groupSettingNames, values.permission),
    };
    requireParameters(endpoints.createGroup, Object.keys(args), api.connection.level);
    const {group_id} = await changeOnce(() => api.createGroup(args), 'List the groups with “parley group list”.');
    if (values.json) printJson(io, {id: group_id ?? null, name});
    else print(io, `Created the group ${printableLine(name)}.`);
    return exitCodes.ok;
  });
};

export const groupEdit: VerbRunner<'group edit'> = ({values, words}, io, signal) => {
  const people = namesUsers(values.permission) ? 'all' : 'self';
  return withState(values, io, signal, {fetch, people}, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      const {state} = verbContext;
      const group = groupArgument(state, words[0] ?? '');
      const permissions = permissionArguments(state, groupSettingNames, values.permission);
      const change: GroupChange = {
        ...(values.name !== undefined && {name: values.name.trim()}),
        ...(values.description !== undefined && {description: values.description}),
        ...Object.fromEntries(Object.entries(permissions).map(([key, value]) => [key, {new: value}] as const)),
      };
      if (Object.keys(change).length === 0)
        throw new UsageError('Give at least one of --name, --description, --permission.');
      requireGroupPermission(verbContext, group, []);
      requireParameters(endpoints.updateGroup, Object.keys(change), verbContext.api.connection.level);
      await changeRepeatably(() => updateGroup(context, group.id, change));
      if (values.json) printJson(io, {id: group.id, changed: Object.keys(change)});
      else print(io, `Changed the group ${printableLine(change.name ?? group.name)}.`);
      return exitCodes.ok;
    }),
  );
};

export const groupDeactivate = activityRunner(false);
export const groupReactivate = activityRunner(true);

function activityRunner(isActive: boolean): VerbRunner<'group deactivate' | 'group reactivate'> {
  return ({values, words}, io, signal) =>
    withState(values, io, signal, {fetch, people: 'self'}, (verbContext) =>
      withSessionContext(verbContext, async (context) => {
        const group = groupArgument(verbContext.state, words[0] ?? '');
        requireGroupPermission(verbContext, group, []);
        // A group that already is so needs no request, which the server would refuse.
        if (group.isDeactivated === isActive) {
          await (isActive ? updateGroup(context, group.id, {deactivated: false}) : deactivateGroup(context, group.id));
        }
        if (values.json) printJson(io, {id: group.id, isActive});
        else print(io, `${isActive ? 'Reactivated' : 'Deactivated'} the group ${printableLine(group.name)}.`);
        return exitCodes.ok;
      }),
    );
}

export const groupAdd: VerbRunner<'group add'> = (verbArguments, io, signal) =>
  withState(verbArguments.values, io, signal, {fetch, people: 'all'}, async (verbContext) => {
    const {group, userIds, subgroupIds} = membersFrom(verbContext, verbArguments);
    const add = userIds.filter((id) => !group.members.has(id));
    const addSubgroups = subgroupIds.filter((id) => !group.subgroupIds.has(id));
    const isJoining = addSubgroups.length === 0 && add.every((id) => id === verbContext.state.self.userId);
    requireGroupPermission(
      verbContext,
      group,
      isJoining ? ['canAddMembersGroup', 'canJoinGroup'] : ['canAddMembersGroup'],
    );
    await changeMembers(verbContext, group, {add, add_subgroups: addSubgroups});
    return reportMembers(verbContext, verbArguments, group, {added: add, addedSubgroups: addSubgroups});
  });

export const groupRemove: VerbRunner<'group remove'> = (verbArguments, io, signal) =>
  withState(verbArguments.values, io, signal, {fetch, people: 'all'}, async (verbContext) => {
    const {group, userIds, subgroupIds} = membersFrom(verbContext, verbArguments);
    const remove = userIds.filter((id) => group.members.has(id));
    const removeSubgroups = subgroupIds.filter((id) => group.subgroupIds.has(id));
    const isLeaving = removeSubgroups.length === 0 && remove.every((id) => id === verbContext.state.self.userId);
    const names = ['canRemoveMembersGroup', ...(isLeaving ? (['canLeaveGroup'] as const) : [])] as const;
    requireGroupPermission(verbContext, group, names);
    await changeMembers(verbContext, group, {delete: remove, delete_subgroups: removeSubgroups});
    return reportMembers(verbContext, verbArguments, group, {removed: remove, removedSubgroups: removeSubgroups});
  });

function membersFrom({state}: StateContext, {values, words}: VerbArguments<'group add'>) {
  const [name = '', ...users] = words;
  if (users.length + values.subgroup.length === 0) throw new UsageError('Name the members.');
  return {
    group: groupArgument(state, name),
    userIds: [...new Set(users.map((text) => userArgument(state, text).id))],
    subgroupIds: [...new Set(values.subgroup.map((text) => groupArgument(state, text).id))],
  };
}

/** The members to add and remove; lists may be empty. */
interface MemberChange {
  readonly add?: number[];
  readonly delete?: number[];
  readonly add_subgroups?: number[];
  readonly delete_subgroups?: number[];
}

/** Sends no request when all of it is done already: the server would refuse it. */
async function changeMembers({api}: StateContext, {id}: Group, change: MemberChange): Promise<void> {
  const given = Object.entries(change).filter(([, ids]) => ids.length > 0);
  if (given.length === 0) return;
  requireParameters(
    endpoints.updateGroupMembers,
    given.map(([name]) => name),
    api.connection.level,
  );
  await api.updateGroupMembers({user_group_id: id, ...Object.fromEntries(given)});
}

function reportMembers(
  {io}: StateContext,
  {values}: VerbArguments<'group add'>,
  group: Group,
  result: Readonly<Record<string, readonly number[]>>,
) {
  const count = Object.values(result).reduce((sum, {length}) => sum + length, 0);
  const isAdding = 'added' in result;
  if (values.json) printJson(io, {id: group.id, ...result});
  else {
    const members = countedNoun(count, 'member');
    const name = printableLine(group.name);
    print(io, isAdding ? `Added ${members} to ${name}.` : `Removed ${members} from ${name}.`);
  }
  return exitCodes.ok;
}

/** Throws when the user may neither manage the group nor has one of these permissions. */
function requireGroupPermission({state, io}: StateContext, group: Group, names: readonly GroupPermissionName[]): void {
  if (group.isSystemGroup)
    throw new PlainFailure('The members of this group follow from their roles.', exitCodes.refused);
  const now = io.clock.now();
  const {userId} = state.self;
  const own = (['canManageGroup', ...names] as const).map((name) =>
    hasGroupPermission(state, userId, group, name, now),
  );
  // Servers without these settings decide by the policy of the organization.
  const legacy = {policy: {code: state.realm.userGroupEditPolicy}, fallback: 'role:administrators'} as const;
  const isAllowed =
    own.includes(true) || (!isGuest(state) && hasRealmPermission(state, userId, 'canManageAllGroups', now, legacy));
  requirePermission(allowedIf(isAllowed, `You do not have permission to change the group ${group.name}.`));
}
