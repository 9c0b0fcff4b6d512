import {isRefusal} from '#api/failure.ts';
import type {GroupChange} from '#state/actions/administration.ts';
import type {Group} from '#state/model/user.ts';
import {canChangeGroup} from '#state/selectors/permissions/people-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {undoOffer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {type FormAction, type FormField, formAction, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {groupLabel} from '#ui/forms/group-setting-text.ts';
import {openForm, valuesBefore} from '#ui/forms/open-form.ts';
import {PermissionFields, type PermissionValues} from '#ui/forms/permission-fields.ts';
import type {GroupSettingName} from '#wire/objects/group.ts';
import {featureProblem} from '#wire/server-features.ts';
import {deactivate, deactivateTexts, openGroupMembers, reactivate, reactivateProblem} from './group-actions.ts';

/** Opens the form for a new group. */
export function openNewGroupForm(app: App): void {
  openForm<GroupValues>(app, {
    id: 'new group',
    title: 'New group',
    isNew: true,
    saveLabel: 'Create the group',
    initial: newGroupValues,
    fields: (frame) => groupFields(frame, undefined),
    errorField: nameOfRefusal,
    save: async (from, changes, {name, description, memberIds, subgroupIds}) => {
      const permissions = groupPermissions.changed(changes);
      const subgroups = subgroupIds.length > 0 && {subgroups: [...subgroupIds]};
      const members = [...memberIds];
      await from.session.context.api.createGroup({name, description, members, ...subgroups, ...permissions});
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
    initial: (frame) => {
      const group = groupIn(frame);
      return group === undefined ? newGroupValues(frame) : groupValues(group);
    },
    fields: (frame) => {
      const group = groupIn(frame);
      return group === undefined ? [] : groupFields(frame, group);
    },
    errorField: nameOfRefusal,
    save: async (from, changes, values, before) => {
      const {context} = from.session;
      await context.api.updateGroup({user_group_id: groupId, ...groupChangeOf(changes, before)});
      return undoOffer(from, {
        label: `Changed the group ${values.name}`,
        undo: () =>
          context.api.updateGroup({user_group_id: groupId, ...groupChangeOf(valuesBefore(changes, before), values)}),
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
  const permission = canChangeGroup(account, 'manage', groupId, minute);
  const disabled = refusalReason(permission);
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

/** Returns the values of a new group, as the server would set them. The creator is a member, as in other clients. */
function newGroupValues({account}: Frame): GroupValues {
  return {
    name: '',
    description: '',
    memberIds: [account.self.userId],
    subgroupIds: [],
    ...groupPermissions.newValues(account),
  };
}

function groupValues({name, description, members, subgroupIds, ...group}: Group): GroupValues {
  return {
    name,
    description,
    memberIds: [...members],
    subgroupIds: [...subgroupIds],
    ...groupPermissions.valuesOf(group),
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
