import {withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson} from '#cli/io.ts';
import {groupArgument} from '#cli/name-arguments.ts';
import {printTable, tableLines} from '#cli/table-lines.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import type {Group} from '#state/model/group.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import {distinctUserName} from '#state/selectors/names/names.ts';
import type {GroupPermissionName} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {groupLabel, groupSettingText} from '#ui/forms/group-setting-text.ts';

export const groupList: VerbRunner<'group list'> = ({values}, io, signal) =>
  withState(values, io, signal, {fetch: ['realm_user_groups'], people: 'self'}, async ({state}) => {
    const isShown = (group: Group) => values.all || (!group.isSystemGroup && !group.isDeactivated);
    const groups = sortedByName([...state.groups.values()].filter(isShown), ({name}) => name);
    if (values.json) printJson(io, groups.map(groupJson));
    else if (groups.length === 0) print(io, 'No groups.');
    else
      printTable(
        io,
        groups.map((group) => groupCells(state, group)),
      );
    return exitCodes.ok;
  });

function groupCells(state: AccountState, group: Group): string[] {
  const members = group.isSystemGroup ? 'by role' : `${group.members.size} direct members`;
  const marks = group.isDeactivated ? ' (deactivated)' : '';
  return [
    String(group.id),
    `${groupLabel(state, group.id)}${marks}`,
    group.members.size === 1 && !group.isSystemGroup ? '1 direct member' : members,
    group.description,
  ];
}

function groupJson(group: Group) {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    isSystemGroup: group.isSystemGroup,
    isDeactivated: group.isDeactivated,
    memberIds: [...group.members],
    subgroupIds: [...group.subgroupIds],
  };
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

export const groupShow: VerbRunner<'group show'> = ({values, words, matching}, io, signal) =>
  withState(values, io, signal, {fetch: ['realm_user_groups', 'realm'], people: 'all'}, async ({state}) => {
    const group = groupArgument(state, words[0] ?? '', matching);
    const permissions = Object.entries(permissionLabels).flatMap(([name, label]) => {
      // The table has exactly the names of the type.
      const setting = group[name as GroupPermissionName];
      return setting === undefined ? [] : [{name: name as GroupPermissionName, label, setting}];
    });
    if (values.json) {
      const settings = permissions.map(({name, setting}) => [name, setting]);
      printJson(io, {...groupJson(group), permissions: Object.fromEntries(settings)});
      return exitCodes.ok;
    }
    const names = [...group.members].map((id) => distinctUserName(state, id));
    const rows = [
      ['Name', groupLabel(state, group.id)],
      ['Id', String(group.id)],
      ['Description', group.description],
      ['Members', group.isSystemGroup ? 'by role' : sortedByName(names, (name) => name).join(', ')],
      ['Subgroups', [...group.subgroupIds].map((id) => groupLabel(state, id)).join(', ')],
      ['Active', group.isDeactivated ? 'no (deactivated)' : 'yes'],
      ...permissions.map(({label, setting}) => [label, groupSettingText(state, setting)]),
    ].filter(([, value]) => value !== '');
    print(io, tableLines(rows).join('\n'));
    return exitCodes.ok;
  });
