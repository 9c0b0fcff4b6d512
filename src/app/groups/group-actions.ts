import type {App} from '#app/core/app.ts';
import {RecordKind} from '#app/forms/record-kind.ts';
import {type RecordRow, viewAction} from '#app/forms/record-list.ts';
import {openUserCard} from '#app/people/user-card.ts';
import {changeGroupMembers} from '#state/actions/administration.ts';
import type {Group} from '#state/model/user.ts';
import {distinctUserName, sortedByName, userName} from '#state/selectors/names/names.ts';
import {canChangeGroup} from '#state/selectors/permissions/people-permissions.ts';
import {groupMemberIds, isMember, nestedGroupIds, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {composed, joined} from '#std/composed-text.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {featureProblem} from '#wire/server-features.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {groupLabel} from '#wording/group-names.ts';

type Members = {userIds: readonly number[]; groupIds: readonly number[]};

/** The member of a row: a user of the group, a user of a group in it, or a group in it. */
type Member = {readonly kind: 'user'; readonly id: number} | {readonly kind: 'group'; readonly id: number};

function memberOf(rowKey: string): Member {
  const [kind, id] = rowKey.split(' ');
  return {kind: kind === 'group' ? 'group' : 'user', id: Number(id)};
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
    ...(through === undefined ? [] : [`through ${joined(through)}`]),
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
  return composed`A member through ${through === undefined ? 'another group' : groupLabel(account, through)}: remove them there`;
}

/** A group cannot contain itself, neither directly nor through others. */
function canBeSubgroup({account}: Frame, groupId: number, id: number): boolean {
  if (account.groups.get(groupId)?.subgroupIds.has(id) === true) return false;
  return !nestedGroupIds(account, id).has(groupId);
}

function membersOf(member: Member | undefined): Members {
  return {
    userIds: member?.kind === 'user' ? [member.id] : [],
    groupIds: member?.kind === 'group' ? [member.id] : [],
  };
}

/** Opens the members of a group, direct ones and those of the groups in it, to add and remove them. */
export function openGroupMembers(app: App, groupId: number): void {
  groupMembers(groupId, groupLabel(app.state, groupId)).open(app);
}

/** Returns the members of a group as records. A key is a list of members, because several are added at once. */
function groupMembers(groupId: number, name: string) {
  const undoTexts = {undoing: 'Changing the group back…', notUndone: 'Not undone'};
  return new RecordKind<Member, Members, Members>({
    noun: `members of group ${groupId}`,
    list: {
      id: `group members ${groupId}`,
      title: composed`Members of ${name}`,
      placeholder: 'find a member',
      empty: 'No members',
      addLabel: 'Add members…',
      rows: (frame) => memberRows(frame, groupId),
      actions: [viewAction('Enter', 'opens', (from, {key}) => openMember(from, memberOf(key)))],
    },
    keyOf: (rowKey) => membersOf(memberOf(rowKey)),
    find: (_frame, {userIds: [userId], groupIds: [id = 0]}) =>
      userId === undefined ? {kind: 'group', id} : {kind: 'user', id: userId},
    changeReason: (frame, member) =>
      member === undefined
        ? refusalReason(canChangeGroup(frame.account, 'add', groupId, frame.minute))
        : removeProblem(frame, groupId, member),
    form: {
      newTitle: composed`Add members to ${name}`,
      createLabel: 'Add',
      values: membersOf,
      fields: ({account}, {userIds, groupIds}) => [
        formField('people', 'userIds', 'People', {
          isOffered: (id, frame) => frame.account.groups.get(groupId)?.members.has(id) !== true,
          validate: () => (userIds.length + groupIds.length === 0 ? 'Choose people or groups' : undefined),
        }),
        formField('groups', 'groupIds', 'Groups', {
          help: 'Everyone in these groups is in the group too, now and later.',
          hasSystemGroups: true,
          disabled: featureProblem(account.server.level, 'subgroups'),
          isOffered: (id, frame) => canBeSubgroup(frame, groupId, id),
        }),
      ],
    },
    create: async (context, members) => {
      await changeGroupMembers(context, groupId, {add: members});
      return members;
    },
    created: ({userIds, groupIds}) => ({
      ...undoTexts,
      done: composed`Added ${countedNoun(userIds.length + groupIds.length, 'member')} to ${name}`,
      undone: composed`Removed them from ${name} again`,
    }),
    removal: {
      remove: (context, members) => changeGroupMembers(context, groupId, {remove: members}),
      confirm: (member, {account}) => {
        const label = memberLabel(account, member);
        return {title: composed`Remove ${label} from ${name}?`, yes: composed`Remove ${label}`};
      },
      texts: (member, account) => {
        const label = composed`${member.kind === 'group' ? 'the group ' : ''}${memberLabel(account, member)}`;
        return {
          ...undoTexts,
          done: composed`Removed ${label} from ${name}`,
          undone: composed`Added ${label} to ${name} again`,
          failed: composed`${label} was not removed`,
        };
      },
    },
  });
}

function memberLabel(account: AccountState, {kind, id}: Member): string {
  return kind === 'group' ? groupLabel(account, id) : distinctUserName(account, id);
}
