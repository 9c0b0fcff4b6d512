import type {App} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction, viewAction} from '#app/forms/record-list.ts';
import {openUserCard} from '#app/people/user-card.ts';
import {changeOnServer, requestFromServer, undoOffer} from '#app/requests/server-request.ts';
import {changeGroupMembers, deactivateGroup, type GroupMembers, updateGroup} from '#state/actions/administration.ts';
import type {Group} from '#state/model/user.ts';
import {channelName, distinctUserName, sortedByName, userName} from '#state/selectors/names/names.ts';
import {canChangeGroup} from '#state/selectors/permissions/people-permissions.ts';
import {groupMemberIds, isMember, nestedGroupIds, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ErrorBody} from '#wire/errors.ts';
import {isRefusal} from '#wire/failure.ts';
import {featureProblem} from '#wire/server-features.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {groupLabel} from '#wording/group-names.ts';

/** The member of a row: a user of the group, a user of a group in it, or a group in it. */
type Member = {readonly kind: 'user'; readonly id: number} | {readonly kind: 'group'; readonly id: number};

function memberOf({key}: RecordRow): Member {
  const [kind, id] = key.split(' ');
  return {kind: kind === 'group' ? 'group' : 'user', id: Number(id)};
}

/** Opens the members of a group, direct ones and those of the groups in it, to add and remove them. */
export function openGroupMembers(app: App, groupId: number): void {
  const name = groupLabel(app.state, groupId);
  openRecordList(app, {
    id: `group members ${groupId}`,
    title: `Members of ${name}`,
    placeholder: 'find a member',
    empty: 'No members',
    rows: (frame) => memberRows(frame, groupId),
    add: {
      label: 'Add members…',
      disabledReason: ({account, minute}) => refusalReason(canChangeGroup(account, 'add', groupId, minute)),
      run: (from) => openAddMembersForm(from, groupId),
    },
    actions: [
      viewAction('Enter', 'open', (from, row) => openMember(from, memberOf(row))),
      recordAction('Delete', 'remove', {
        disabledReason: (row, frame) => removeProblem(frame, groupId, memberOf(row)),
        confirm: ({label}) => ({title: `Remove ${label} from ${name}?`, yes: `Remove ${label}`}),
        run: (from, row) => removeMember(from, groupId, memberOf(row)),
      }),
    ],
  });
}

function openMember(app: App, {kind, id}: Member): void {
  if (kind === 'group') openGroupMembers(app, id);
  else openUserCard(app, id);
}

function memberRows({account, minute}: Frame, groupId: number): readonly RecordRow[] {
  const group = account.groups.get(groupId);
  if (group === undefined) return [];
  const subgroups = sortedByName([...group.subgroupIds], (id) => groupLabel(account, id));
  const all = group.isSystemGroup ? [] : subgroups;
  return [
    ...all.map((id) => subgroupRow(account, id, minute)),
    ...sortedByName(groupMemberIds(account, groupId, minute), (id) => userName(account, id)).map((id) =>
      userRow(account, group, id, minute),
    ),
  ];
}

function subgroupRow(account: AccountState, id: number, nowMs: number): RecordRow {
  const count = groupMemberIds(account, id, nowMs).length;
  return {key: `group ${id}`, label: groupLabel(account, id), detail: `group · ${countedNoun(count, 'member')}`};
}

function userRow(account: AccountState, group: Group, id: number, nowMs: number): RecordRow {
  const isDirect = group.isSystemGroup || group.members.has(id);
  const through = isDirect ? undefined : groupsWith(account, group, id, nowMs).map((one) => groupLabel(account, one));
  const details = [
    ...(id === account.self.userId ? ['you'] : []),
    ...(account.users.get(id)?.isBot === true ? ['bot'] : []),
    ...(through === undefined ? [] : [`through ${through.join(', ')}`]),
  ];
  return {key: `user ${id}`, label: distinctUserName(account, id), detail: details.join(' · ')};
}

/** Returns the groups in a group that a user belongs to. */
function groupsWith(account: AccountState, {subgroupIds}: Group, userId: number, nowMs: number): readonly number[] {
  return [...subgroupIds].filter((id) => isMember(account, userId, id, nowMs));
}

function removeProblem({account, minute}: Frame, groupId: number, {kind, id}: Member): string | undefined {
  const group = account.groups.get(groupId);
  const isSelf = kind === 'user' && id === account.self.userId;
  const permission = canChangeGroup(account, isSelf ? 'leave' : 'remove', groupId, minute);
  if (!permission.ok || kind === 'group' || group === undefined || group.members.has(id))
    return refusalReason(permission);
  const [through] = groupsWith(account, group, id, minute);
  return `A member through ${through === undefined ? 'another group' : groupLabel(account, through)}: remove them there`;
}

function removeMember(app: App, groupId: number, {kind, id}: Member): void {
  const label = kind === 'group' ? `the group ${groupLabel(app.state, id)}` : distinctUserName(app.state, id);
  changeMembers(app, groupId, {
    change: {remove: kind === 'group' ? {groupIds: [id]} : {userIds: [id]}},
    done: `Removed ${label} from ${groupLabel(app.state, groupId)}`,
    undone: `Added ${label} to ${groupLabel(app.state, groupId)} again`,
    failureText: `${label} was not removed`,
  });
}

interface MembersChange {
  readonly change: {readonly add?: GroupMembers; readonly remove?: GroupMembers};
  /** Past tense, for the toast and the undo history. */
  readonly done: string;
  readonly undone: string;
  readonly failureText: string;
}

/** Changes the members of a group, with undo. */
export function changeMembers(app: App, groupId: number, {change, done, undone, failureText}: MembersChange): void {
  const {context} = app.session;
  const inverse = {
    ...(change.remove !== undefined && {add: change.remove}),
    ...(change.add !== undefined && {remove: change.add}),
  };
  changeOnServer(app, {
    send: () => changeGroupMembers(context, groupId, change),
    failureText,
    label: done,
    undo: () => changeGroupMembers(context, groupId, inverse),
    undoingText: 'Changing the group back…',
    undoneText: undone,
    undoFailureText: 'Not undone',
  });
}

type NewMembers = {userIds: readonly number[]; groupIds: readonly number[]};

function openAddMembersForm(app: App, groupId: number): void {
  const name = groupLabel(app.state, groupId);
  openForm<NewMembers>(app, {
    id: `add group members ${groupId}`,
    title: `Add members to ${name}`,
    saveLabel: 'Add',
    initial: () => ({userIds: [], groupIds: []}),
    fields: ({account}) => [
      formField('people', 'userIds', 'People', {
        isOffered: (id, frame) => frame.account.groups.get(groupId)?.members.has(id) !== true,
      }),
      formField('groups', 'groupIds', 'Groups', {
        help: 'Everyone in these groups is in the group too, now and later.',
        hasSystemGroups: true,
        disabled: featureProblem(account.server.level, 'subgroups'),
        isOffered: (id, frame) => canBeSubgroup(frame, groupId, id),
      }),
    ],
    save: async (from, _changes, {userIds, groupIds}) => {
      await changeGroupMembers(from.session.context, groupId, {add: {userIds, groupIds}});
      return undoOffer(from, {
        label: `Added ${countedNoun(userIds.length + groupIds.length, 'member')} to ${name}`,
        undo: () => changeGroupMembers(from.session.context, groupId, {remove: {userIds, groupIds}}),
        undoingText: `Removing them from ${name} again…`,
        undoneText: `Removed them from ${name} again`,
        failureText: 'Not undone',
      });
    },
  });
}

/** A group cannot contain itself, neither directly nor through others. */
function canBeSubgroup({account}: Frame, groupId: number, id: number): boolean {
  if (account.groups.get(groupId)?.subgroupIds.has(id) === true) return false;
  return !nestedGroupIds(account, id).has(groupId);
}

/** Returns what to ask before a group is deactivated; older servers delete it. */
export function deactivateTexts({server}: AccountState, name: string) {
  return server.abilities.deactivatedGroups
    ? {title: `Deactivate the group ${name}?`, yes: 'Deactivate the group', detail: 'nobody can mention it'}
    : {title: `Delete the group ${name}?`, yes: 'Delete the group', detail: 'cannot be undone'};
}

export function reactivateProblem({server}: AccountState): string | undefined {
  return featureProblem(server.level, 'reactivatedGroups');
}

export function deactivate(app: App, groupId: number): void {
  const name = groupLabel(app.state, groupId);
  requestFromServer(app, {
    send: () => deactivateGroup(app.session.context, groupId).catch((error: unknown) => explain(app, error)),
    doneText: () => {
      const done = app.state.server.abilities.deactivatedGroups ? 'Deactivated' : 'Deleted';
      if (reactivateProblem(app.state) !== undefined) return `${done} the group ${name}`;
      return undoOffer(app, {label: `Deactivated the group ${name}`, ...reactivation(app, groupId, name)});
    },
    failureText: `The group ${name} was not deactivated`,
  });
}

export function reactivate(app: App, groupId: number): void {
  const name = groupLabel(app.state, groupId);
  const {undo: send, undoneText, failureText} = reactivation(app, groupId, name);
  requestFromServer(app, {send, doneText: () => undoneText, failureText});
}

function reactivation(app: App, groupId: number, name: string) {
  return {
    undo: () => updateGroup(app.session.context, groupId, {deactivated: false}),
    undoingText: `Reactivating the group ${name}…`,
    undoneText: `Reactivated the group ${name}`,
    failureText: `The group ${name} is still deactivated`,
  };
}

/** Throws an error that names where the group is used, if that is the reason of the refusal. */
function explain({state}: App, error: unknown): never {
  if (!isRefusal(error, 'CANNOT_DEACTIVATE_GROUP_IN_USE')) throw error;
  const uses = (error.body?.objections ?? []).flatMap((objection) => useText(state, objection));
  if (uses.length === 0) throw error;
  throw new Error(`it is used by ${uses.join(', ')}. Remove it there first.`);
}

type Objection = NonNullable<ErrorBody['objections']>[number];

function useText(state: AccountState, {type, supergroup_ids = [], channel_id = 0, group_id = 0}: Objection): string[] {
  switch (type) {
    case 'subgroup':
      return supergroup_ids.map((id) => `the group ${groupLabel(state, id)}`);
    case 'channel':
      return [`permissions of #${channelName(state, channel_id)}`];
    case 'user_group':
      return [`permissions of the group ${groupLabel(state, group_id)}`];
    case 'realm':
      return ['permissions of the organization'];
    default:
      return [];
  }
}
