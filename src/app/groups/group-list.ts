import type {App} from '#app/core/app.ts';
import {openForm, valuesBefore} from '#app/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction, viewAction} from '#app/forms/record-list.ts';
import {undoOffer} from '#app/requests/server-request.ts';
import {createGroup, type GroupChange, updateGroup} from '#state/actions/administration.ts';
import type {Group} from '#state/model/user.ts';
import {sortedByName} from '#state/selectors/names/names.ts';
import {canChangeGroup, canCreateGroup} from '#state/selectors/permissions/people-permissions.ts';
import {groupMemberIds, isMember, refusalReason} from '#state/selectors/permissions/permission.ts';
import {type FormAction, type FormField, formAction, formField} from '#ui/core/form.ts';
import {type Frame, memoByFrame} from '#ui/core/frame.ts';
import {PermissionFields, type PermissionValues, systemGroups} from '#ui/forms/permission-fields.ts';
import {isRefusal} from '#wire/failure.ts';
import type {GroupSettingName} from '#wire/objects/group.ts';
import {featureProblem} from '#wire/server-features.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {groupLabel} from '#wording/group-names.ts';
import {
  changeMembers,
  deactivate,
  deactivateTexts,
  openGroupMembers,
  reactivate,
  reactivateProblem,
} from './group-actions.ts';

/** Opens the list of user groups, to see their members, to join and leave, and to change them. */
export function openGroupList(app: App): void {
  const groupOf = ({key}: RecordRow, {account}: Frame) => account.groups.get(Number(key));
  const isActive = (row: RecordRow, frame: Frame) => {
    const group = groupOf(row, frame);
    return group !== undefined && !group.isSystemGroup && !group.isDeactivated;
  };
  const isDirectMember = (row: RecordRow, frame: Frame) =>
    groupOf(row, frame)?.members.has(frame.account.self.userId) === true;
  const manageProblem = ({key}: RecordRow, {account, minute}: Frame) =>
    refusalReason(canChangeGroup(account, 'manage', Number(key), minute));
  openRecordList(app, {
    id: 'groups',
    title: 'User groups',
    columns: 78,
    placeholder: 'find a group',
    empty: 'No groups yet',
    rows: groupRows,
    add: {
      label: 'New group…',
      disabledReason: ({account, minute}) => refusalReason(canCreateGroup(account, minute)),
      run: openNewGroupForm,
    },
    actions: [
      viewAction('Enter', 'members', (from, {key}) => openGroupMembers(from, Number(key))),
      viewAction('Ctrl-E', 'edit', (from, {key}) => openGroupForm(from, Number(key))),
      recordAction('Ctrl-T', 'join', {
        appliesTo: (row, frame) => isActive(row, frame) && !isDirectMember(row, frame),
        disabledReason: ({key}, frame) => joinProblem(frame, Number(key)),
        run: (from, {key}) => changeOwnMembership(from, Number(key), true),
      }),
      recordAction('Ctrl-T', 'leave', {
        appliesTo: (row, frame) => isActive(row, frame) && isDirectMember(row, frame),
        disabledReason: ({key}, {account, minute}) =>
          refusalReason(canChangeGroup(account, 'leave', Number(key), minute)),
        run: (from, {key}) => changeOwnMembership(from, Number(key), false),
      }),
      recordAction('Delete', 'deactivate', {
        appliesTo: isActive,
        disabledReason: manageProblem,
        confirm: ({label}, {account}) => deactivateTexts(account, label),
        run: (from, {key}) => deactivate(from, Number(key)),
      }),
      recordAction('Ctrl-R', 'reactivate', {
        appliesTo: (row, frame) => groupOf(row, frame)?.isDeactivated === true,
        disabledReason: (row, frame) => manageProblem(row, frame) ?? reactivateProblem(frame.account),
        run: (from, {key}) => reactivate(from, Number(key)),
      }),
    ],
  });
}

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
  const name = groupLabel(app.state, groupId);
  const [joined, left] = [`Joined the group ${name}`, `Left the group ${name}`];
  const members = {userIds: [app.state.self.userId]};
  changeMembers(app, groupId, {
    change: joins ? {add: members} : {remove: members},
    done: joins ? joined : left,
    undone: joins ? left : joined,
    failureText: joins ? `You did not join the group ${name}` : `You are still in the group ${name}`,
  });
}

/** Opens the form for a new group. */
export function openNewGroupForm(app: App): void {
  openForm<GroupValues>(app, {
    id: 'new group',
    title: 'New group',
    isNew: true,
    saveLabel: 'Create the group',
    initial: (frame) => groupValues(frame, undefined),
    fields: (frame) => groupFields(frame, undefined),
    errorField: nameOfRefusal,
    save: async (from, changes, {name, description, memberIds, subgroupIds}) => {
      const permissions = groupPermissions.changed(changes);
      const subgroups = subgroupIds.length > 0 && {subgroups: [...subgroupIds]};
      const members = [...memberIds];
      await createGroup(from.session.context, {name, description, members, ...subgroups, ...permissions});
      return `Created the group ${name}`;
    },
  });
}

/** Opens the form for the settings of a group. */
export function openGroupForm(app: App, groupId: number): void {
  const groupIn = ({account}: Frame) => account.groups.get(groupId);
  openForm<GroupValues>(app, {
    id: `group ${groupId}`,
    title: `Group ${groupLabel(app.state, groupId)}`,
    disabledReason: (frame) => {
      const refusal = refusalReason(canChangeGroup(frame.account, 'manage', groupId, frame.minute));
      const isDeactivated = groupIn(frame)?.isDeactivated === true;
      return refusal ?? (isDeactivated ? 'The group is deactivated: reactivate it first' : undefined);
    },
    initial: (frame) => groupValues(frame, groupIn(frame)),
    fields: (frame) => {
      const group = groupIn(frame);
      return group === undefined ? [] : groupFields(frame, group);
    },
    errorField: nameOfRefusal,
    save: async (from, changes, values, before) => {
      const {context} = from.session;
      await updateGroup(context, groupId, groupChangeOf(changes, before));
      return undoOffer(from, {
        label: `Changed the group ${values.name}`,
        undo: () => updateGroup(context, groupId, groupChangeOf(valuesBefore(changes, before), values)),
        undoneText: `The group ${before.name} is as it was`,
        failureText: `The group ${values.name} was not changed back`,
      });
    },
    actions: (frame) => groupActions(frame, groupId),
  });
}

/** Returns the field of a refusal that is about the name. */
function nameOfRefusal(error: unknown): string | undefined {
  return isRefusal(error) && /name|exists/i.test(error.message) ? 'name' : undefined;
}

function groupActions(frame: Frame, groupId: number): readonly FormAction[] {
  const {account, minute} = frame;
  const group = account.groups.get(groupId);
  if (group === undefined) return [];
  const members: FormAction = formAction('members', 'Members…', {run: (app) => openGroupMembers(app, groupId)});
  const disabled = refusalReason(canChangeGroup(account, 'manage', groupId, minute));
  if (group.isSystemGroup) return [members];
  if (group.isDeactivated) {
    const reason = disabled ?? reactivateProblem(account);
    return [
      members,
      formAction('reactivate', 'Reactivate the group', {disabled: reason, run: (app) => reactivate(app, groupId)}),
    ];
  }
  const confirm = deactivateTexts(account, group.name);
  return [
    members,
    formAction('deactivate', `${confirm.yes}…`, {disabled, confirm, run: (app) => deactivate(app, groupId)}),
  ];
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
function groupValues({account}: Frame, group: Group | undefined): GroupValues {
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
    if (other.id !== group?.id && other.name === name) return `There is already a group ${other.name}`;
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
