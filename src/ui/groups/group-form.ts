import {isRefusal} from '#api/failure.ts';
import {createGroup, updateGroup} from '#state/actions/groups.ts';
import {canManageGroup} from '#state/selectors/permissions/group-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import type {App} from '#ui/core/app.ts';
import type {Form, FormAction} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {groupLabel} from '#ui/forms/group-setting-text.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {undoOffer} from '#ui/undo/undo-request.ts';
import {deactivate, deactivateTexts, reactivate, reactivateProblem} from './deactivate-group.ts';
import {openGroupMembers} from './group-members.ts';
import {
  changedPermissions,
  type GroupValues,
  groupChangeOf,
  groupFields,
  groupValues,
  newGroupValues,
} from './group-values.ts';

/** Opens the form for a new group. */
export function openNewGroupForm(app: App): void {
  const form: Form<GroupValues> = {
    id: 'new group',
    title: 'New group',
    isNew: true,
    saveLabel: 'Create the group',
    initial: newGroupValues,
    fields: (frame) => groupFields(frame, undefined),
    errorField: nameOfRefusal,
    save: async (from, changes, {name, description, memberIds, subgroupIds}) => {
      const permissions = changedPermissions(changes);
      await createGroup(from.session.context, {name, description, memberIds, subgroupIds, permissions});
      return `Created the group ${name}`;
    },
  };
  openForm(app, form);
}

/** Opens the form for the settings of a group. */
export function openGroupForm(app: App, groupId: number): void {
  const groupIn = ({account}: Frame) => account.groups.get(groupId);
  const initial = (frame: Frame): GroupValues => {
    const group = groupIn(frame);
    return group === undefined ? newGroupValues(frame) : groupValues(group);
  };
  const form: Form<GroupValues> = {
    id: `group ${groupId}`,
    title: `Group ${groupLabel(app.state, groupId)}`,
    initial,
    fields: (frame) => {
      const group = groupIn(frame);
      return group === undefined ? [] : groupFields(frame, group);
    },
    errorField: nameOfRefusal,
    save: async (from, changes, values) => {
      const {context} = from.session;
      const before = initial(from.frame);
      await updateGroup(context, groupId, groupChangeOf(changes, before));
      const undone = Object.fromEntries(Object.keys(changes).map((key) => [key, before[key as keyof GroupValues]]));
      return undoOffer(from, {
        label: `Changed the group ${values.name}`,
        undo: () => updateGroup(context, groupId, groupChangeOf(undone, values)),
        undoneText: `The group ${before.name} is as it was`,
        failureText: `The group ${values.name} was not changed back`,
      });
    },
    actions: (frame) => groupActions(frame, groupId),
  };
  openForm(app, form);
}

/** Returns the field of a refusal that is about the name. */
function nameOfRefusal(error: unknown): string | undefined {
  return isRefusal(error) && /name|exists/i.test(error.message) ? 'name' : undefined;
}

function groupActions(frame: Frame, groupId: number): readonly FormAction[] {
  const {account, minute} = frame;
  const group = account.groups.get(groupId);
  if (group === undefined) return [];
  const members: FormAction = {id: 'members', label: 'Members…', run: (app) => openGroupMembers(app, groupId)};
  const permission = canManageGroup(account, groupId, minute);
  const disabled = refusalReason(permission);
  if (group.isSystemGroup) return [members];
  if (group.isDeactivated) {
    const reason = disabled ?? reactivateProblem(account);
    return [
      members,
      {id: 'reactivate', label: 'Reactivate the group', disabled: reason, run: (app) => reactivate(app, groupId)},
    ];
  }
  const confirm = deactivateTexts(account, group.name);
  return [
    members,
    {id: 'deactivate', label: `${confirm.yes}…`, disabled, confirm, run: (app) => deactivate(app, groupId)},
  ];
}
