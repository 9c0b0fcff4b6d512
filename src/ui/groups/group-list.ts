import type {Group} from '#state/model/user.ts';
import {sortedByName} from '#state/selectors/names/names.ts';
import {canChangeGroup, canCreateGroup} from '#state/selectors/permissions/people-permissions.ts';
import {groupMemberIds, isMember, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {App} from '#ui/core/app.ts';
import {type Frame, memoByFrame} from '#ui/core/frame.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {groupLabel, systemGroups} from '#ui/forms/group-setting-text.ts';
import {openRecordList, type RecordRow, recordAction} from '#ui/forms/record-list.ts';
import {
  changeMembers,
  deactivate,
  deactivateTexts,
  openGroupMembers,
  reactivate,
  reactivateProblem,
} from './group-actions.ts';
import {openGroupForm, openNewGroupForm} from './group-form.ts';

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
      recordAction('Enter', 'members', {isReadOnly: true, run: (from, {key}) => openGroupMembers(from, Number(key))}),
      recordAction('Ctrl-E', 'edit', {isReadOnly: true, run: (from, {key}) => openGroupForm(from, Number(key))}),
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
