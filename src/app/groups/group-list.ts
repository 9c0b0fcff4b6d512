import type {App} from '#app/core/app.ts';
import {RecordKind} from '#app/forms/record-kind.ts';
import {type RecordRow, recordAction, viewAction} from '#app/forms/record-list.ts';
import {changeOnServer} from '#app/requests/server-request.ts';
import {
  changeGroupMembers,
  createGroup,
  deactivateGroup,
  type GroupChange,
  updateGroup,
} from '#state/actions/administration.ts';
import type {Group} from '#state/model/user.ts';
import {channelName, sortedByName} from '#state/selectors/names/names.ts';
import {canChangeGroup, canCreateGroup} from '#state/selectors/permissions/people-permissions.ts';
import {groupMemberIds, isMember, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {composed, joined} from '#std/composed-text.ts';
import {type FormField, formAction, formField} from '#ui/core/form.ts';
import {type Frame, memoByFrame} from '#ui/core/frame.ts';
import {PermissionFields, type PermissionValues, systemGroups} from '#ui/forms/permission-fields.ts';
import type {ErrorBody} from '#wire/errors.ts';
import {isRefusal} from '#wire/failure.ts';
import type {GroupSettingName} from '#wire/objects/group.ts';
import {featureProblem} from '#wire/server-features.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {groupLabel} from '#wording/group-names.ts';
import {openGroupMembers} from './group-actions.ts';

/** Counting the members of roles visits all users. */
const groupRows = memoByFrame(
  ({account, minute}) => [account.groups, account.users, account.self, account.realm, minute],
  computeGroupRows,
);

/** Returns the own groups, then the deactivated ones, then the groups that follow from roles. */
function computeGroupRows(frame: Frame): readonly RecordRow[] {
  const {account} = frame;
  const groups = [...account.groups.values()].filter(({isSystemGroup}) => !isSystemGroup);
  const own = sortedByName(groups, ({name}) => name);
  const gone = own.filter(({isDeactivated}) => isDeactivated);
  const rows = (some: readonly Group[]) => some.map((group) => groupRow(frame, group));
  const section = (title: string, some: readonly Group[]): readonly RecordRow[] =>
    some.length === 0 ? [] : [{key: `title ${title}`, label: title, isTitle: true}, ...rows(some)];
  return [
    ...rows(own.filter(({isDeactivated}) => !isDeactivated)),
    ...section('Deactivated', gone),
    ...section('Roles', systemGroups(account)),
  ];
}

function groupRow({account, minute}: Frame, {id, description, isSystemGroup}: Group): RecordRow {
  const isMine = isMember(account, account.self.userId, id, minute);
  const text = isSystemGroup ? '' : description;
  const detail = [...(isMine ? ['you are in it'] : []), ...(text === '' ? [] : [text])].join(' · ');
  const count = countedNoun(groupMemberIds(account, id, minute).length, 'member');
  return {key: String(id), label: groupLabel(account, id), detail, right: count, rightRole: 'dim'};
}

function joinProblem({account, minute}: Frame, groupId: number): string | undefined {
  const isIndirect = isMember(account, account.self.userId, groupId, minute);
  if (isIndirect) return 'You are in this group through another group: leave that one';
  return refusalReason(canChangeGroup(account, 'join', groupId, minute));
}

function changeOwnMembership(app: App, groupId: number, joins: boolean): void {
  const {context} = app.session;
  const name = groupLabel(app.state, groupId);
  const joined = composed`Joined the group ${name}`;
  const left = composed`Left the group ${name}`;
  const members = {userIds: [app.state.self.userId]};
  const join = () => changeGroupMembers(context, groupId, {add: members});
  const leave = () => changeGroupMembers(context, groupId, {remove: members});
  changeOnServer(app, {
    send: joins ? join : leave,
    failureText: joins ? composed`You did not join the group ${name}` : composed`You are still in the group ${name}`,
    label: joins ? joined : left,
    undo: joins ? leave : join,
    undoingText: 'Changing the group back…',
    undoneText: joins ? left : joined,
    undoFailureText: 'Not undone',
  });
}

/** The values of the forms that create and change a group. */
type GroupValues = {
  name: string;
  description: string;
  memberIds: readonly number[];
  subgroupIds: readonly number[];
} & PermissionValues<GroupSettingName>;

const managers = 'those who can manage all groups';

const groupPermissions = new PermissionFields<GroupSettingName>('group', {
  can_manage_group: ['Administer the group', 'Who can change everything here.', managers],
  can_mention_group: ['Mention the group', 'Who can notify all members by a mention.'],
  can_add_members_group: ['Add members', 'Who can add users and groups.', managers],
  can_remove_members_group: ['Remove members', 'Who can remove users and groups.', managers],
  can_join_group: ['Join', 'Who can add themselves.'],
  can_leave_group: ['Leave', 'Who can remove themselves.'],
});

/** Returns the values of a group, or of a new one as the server would set them: its creator is a member, as in other clients. */
function groupValues(group: Group | undefined, {account}: Frame): GroupValues {
  return {
    name: group?.name ?? '',
    description: group?.description ?? '',
    memberIds: [...(group?.members ?? [account.self.userId])],
    subgroupIds: [...(group?.subgroupIds ?? [])],
    ...(group === undefined ? groupPermissions.newValues(account) : groupPermissions.valuesOf(group)),
  };
}

/** The limit of Zulip's servers; the registration does not report it. */
const maxNameLength = 100;
const refusedPrefixes = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/** Returns the fields of a group; `group` is undefined for a new one. */
function groupFields(frame: Frame, group: Group | undefined): readonly FormField[] {
  return [
    formField('text', 'name', 'Name', {
      isRequired: true,
      maxLength: maxNameLength,
      validate: (name) => nameProblem(frame, name, group),
    }),
    formField('text', 'description', 'Description'),
    ...(group === undefined ? memberFields(frame) : []),
    ...permissionFields(frame, group),
  ];
}

function nameProblem({account}: Frame, name: string, group: Group | undefined): string | undefined {
  const prefix = refusedPrefixes.find((start) => name.toLowerCase().startsWith(start));
  if (prefix !== undefined) return `A group's name cannot start with “${prefix}”`;
  for (const other of account.groups.values()) {
    if (other.id !== group?.id && other.name === name) return composed`There is already a group ${other.name}`;
  }
  return undefined;
}

function memberFields({account}: Frame): readonly FormField[] {
  return [
    formField('people', 'memberIds', 'Members', {emptyText: 'nobody'}),
    formField('groups', 'subgroupIds', 'Groups in it', {
      help: 'Everyone in these groups is in the group too, now and later.',
      hasSystemGroups: true,
      emptyText: 'none',
      disabled: featureProblem(account.server.level, 'subgroups'),
    }),
  ];
}

function permissionFields(frame: Frame, group: Group | undefined): readonly FormField[] {
  const fields = groupPermissions.fields(frame.account, group);
  return fields.length === 0 ? [] : [{kind: 'section', label: 'Who can'}, ...fields];
}

/** Returns the request that changes a group. Permissions name their old value, so that none is overwritten unseen. */
function groupChangeOf(changes: Partial<GroupValues>, before: GroupValues): GroupChange {
  return {
    ...(changes.name !== undefined && {name: changes.name}),
    ...(changes.description !== undefined && {description: changes.description}),
    ...groupPermissions.changedFrom(changes, before),
  };
}

/** Throws an error that names where the group is used, if that is the reason of the refusal. */
function explain(state: AccountState, error: unknown): never {
  if (!isRefusal(error, 'CANNOT_DEACTIVATE_GROUP_IN_USE')) throw error;
  const uses = (error.body?.objections ?? []).flatMap((objection) => useText(state, objection));
  if (uses.length === 0) throw error;
  throw new Error(`it is used by ${joined(uses)}. Remove it there first.`);
}

type Objection = NonNullable<ErrorBody['objections']>[number];

function useText(state: AccountState, {type, supergroup_ids = [], channel_id = 0, group_id = 0}: Objection): string[] {
  switch (type) {
    case 'subgroup':
      return supergroup_ids.map((id) => composed`the group ${groupLabel(state, id)}`);
    case 'channel':
      return [composed`permissions of #${channelName(state, channel_id)}`];
    case 'user_group':
      return [composed`permissions of the group ${groupLabel(state, group_id)}`];
    case 'realm':
      return ['permissions of the organization'];
    default:
      return [];
  }
}

function changeReason({account, minute}: Frame, group: Group | undefined): string | undefined {
  if (group === undefined) return refusalReason(canCreateGroup(account, minute));
  const refusal = refusalReason(canChangeGroup(account, 'manage', group.id, minute));
  return refusal ?? (group.isDeactivated ? 'The group is deactivated: reactivate it first' : undefined);
}

function isActive(group: Group | undefined): boolean {
  return group !== undefined && !group.isSystemGroup && !group.isDeactivated;
}

/** An action on an active group that the user is a member of, or is not. */
function membershipAction(hint: string, isMember: boolean, reason: (frame: Frame, id: number) => string | undefined) {
  return recordAction('Ctrl-T', hint, {
    appliesTo: ({key}, {account}) => {
      const group = account.groups.get(Number(key));
      return isActive(group) && group?.members.has(account.self.userId) === isMember;
    },
    disabledReason: ({key}, frame) => reason(frame, Number(key)),
    run: (from, {key}) => changeOwnMembership(from, Number(key), !isMember),
  });
}

function leaveProblem({account, minute}: Frame, id: number): string | undefined {
  return refusalReason(canChangeGroup(account, 'leave', id, minute));
}

/** Returns what to ask before a group is deactivated; older servers delete it. */
function deactivateTexts({server}: AccountState, {name}: Group) {
  return server.abilities.deactivatedGroups
    ? {title: composed`Deactivate the group ${name}?`, yes: 'Deactivate the group', detail: 'nobody can mention it'}
    : {title: composed`Delete the group ${name}?`, yes: 'Delete the group', detail: 'cannot be undone'};
}

function reactivateProblem({server}: AccountState): string | undefined {
  return featureProblem(server.level, 'reactivatedGroups');
}

/** The user groups: to see their members, to join and leave, and to change them. */
export const groups = new RecordKind<Group, GroupValues, number>({
  noun: 'group',
  list: {
    id: 'groups',
    title: 'User groups',
    columns: 78,
    placeholder: 'find a group',
    empty: 'No groups yet',
    addLabel: 'New group…',
    rows: groupRows,
    actions: [
      viewAction('Enter', 'shows the members', (from, {key}) => openGroupMembers(from, Number(key))),
      membershipAction('joins', false, joinProblem),
      membershipAction('leaves', true, leaveProblem),
    ],
  },
  keyOf: Number,
  find: ({account}, id) => account.groups.get(id),
  changeReason,
  form: {
    title: (account, {id}) => composed`Group ${groupLabel(account, id)}`,
    newTitle: 'New group',
    createLabel: 'Create the group',
    values: groupValues,
    fields: (frame, _values, group) => groupFields(frame, group),
    actions: (_frame, group) =>
      group === undefined ? [] : [formAction('members', 'Members…', {run: (app) => openGroupMembers(app, group.id)})],
    errorField: (error) => (isRefusal(error) && /name|exists/i.test(error.message) ? 'name' : undefined),
  },
  create: async (context, {name, description, memberIds, subgroupIds}, {changes}) => {
    const permissions = groupPermissions.changed(changes);
    const subgroups = subgroupIds.length > 0 && {subgroups: [...subgroupIds]};
    await createGroup(context, {name, description, members: [...memberIds], ...subgroups, ...permissions});
    return undefined;
  },
  created: ({name}) => ({done: composed`Created the group ${name}`}),
  change: {
    key: 'Ctrl-E',
    update: (context, id, {changes, before}) => updateGroup(context, id, groupChangeOf(changes, before)),
    texts: ({values: {name}, before}) => ({
      done: composed`Changed the group ${name}`,
      undone: composed`The group ${before.name} is as it was`,
      notUndone: composed`The group ${name} was not changed back`,
    }),
  },
  removal: {
    hint: 'deactivates',
    formLabel: ({account}, group) => (group.isSystemGroup ? undefined : `${deactivateTexts(account, group).yes}…`),
    confirm: (group, {account}) => deactivateTexts(account, group),
    remove: (context, id) =>
      deactivateGroup(context, id).catch((error: unknown) => explain(context.cache.state, error)),
    texts: ({name}, account) => ({
      done: composed`${account.server.abilities.deactivatedGroups ? 'Deactivated' : 'Deleted'} the group ${name}`,
      failed: composed`The group ${name} was not deactivated`,
      ...(reactivateProblem(account) === undefined && {
        undoing: composed`Reactivating the group ${name}…`,
        undone: composed`Reactivated the group ${name}`,
        notUndone: composed`The group ${name} is still deactivated`,
      }),
    }),
    restore: async (context, {id}) => {
      await updateGroup(context, id, {deactivated: false});
      return id;
    },
    restoring: {
      key: 'Ctrl-R',
      hint: 'reactivates',
      formLabel: 'Reactivate the group',
      isRemoved: ({isDeactivated}) => isDeactivated,
      reason: ({account, minute}, {id}) =>
        refusalReason(canChangeGroup(account, 'manage', id, minute)) ?? reactivateProblem(account),
    },
  },
});
