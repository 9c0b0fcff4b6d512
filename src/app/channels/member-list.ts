import {requestFromServer} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import type {Form} from '#app/core/form.ts';
import {countedNoun} from '#app/format/counted-noun.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openRecordList, type RecordRow} from '#app/forms/record-list.ts';
import {openUserCard} from '#app/people/user-card.ts';
import {removeSubscribers, subscribe} from '#state/actions/channels.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import {channelName, distinctUserName, userName} from '#state/selectors/names/names.ts';
import {canAddSubscribers, canRemoveSubscribers} from '#state/selectors/permissions/channel-permissions.ts';
import {groupMemberIds} from '#state/selectors/permissions/group-members.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';

/** Opens the list of a channel's subscribers, to add and remove them. */
export function openMemberList(app: App, channelId: number): void {
  const name = channelName(app.state, channelId);
  openRecordList(app, {
    id: `members ${channelId}`,
    title: `Members of #${name}`,
    placeholder: 'find a member',
    empty: 'No members',
    // The state has the list, and events keep it current; it may not be complete yet.
    load: () => app.session.fetchSubscribers(channelId),
    rows: ({account}): readonly RecordRow[] => {
      const ids = account.subscribers.get(channelId)?.ids ?? [];
      return sortedByName(ids, (id) => userName(account, id)).map((id) => ({
        key: String(id),
        label: distinctUserName(account, id),
        detail: id === account.self.userId ? 'you' : account.users.get(id)?.isBot === true ? 'bot' : undefined,
      }));
    },
    add: {
      label: 'Add members…',
      disabledReason: ({account, minute}) => refusalReason(canAddSubscribers(account, channelId, minute)),
      run: (from) => openAddMembersForm(from, channelId),
    },
    actions: [
      {key: 'Enter', hint: 'profile', isReadOnly: true, run: (from, {key}) => openUserCard(from, Number(key))},
      {
        key: 'Delete',
        hint: 'remove',
        disabledReason: ({key}, {account, minute}) =>
          refusalReason(canRemoveSubscribers(account, channelId, minute, Number(key))),
        confirm: ({label}) => ({title: `Remove ${label} from #${name}?`, yes: `Remove ${label}`}),
        run: (from, {key, label}) => removeMember(from, channelId, Number(key), label),
      },
    ],
  });
}

function removeMember(app: App, channelId: number, userId: number, label: string): void {
  const {context} = app.session;
  const channel = `#${channelName(app.state, channelId)}`;
  requestFromServer(app, {
    send: () => removeSubscribers(context, channelId, [userId]),
    doneText: () => {
      const undo = () => {
        requestFromServer(app, {
          send: () => subscribe(context, [channelId], [userId]),
          doneText: () => `Added ${label} to ${channel} again`,
          failureText: `${label} was not added again`,
        });
        return `Adding ${label} to ${channel} again…`;
      };
      app.undoStack.push({label: `Removed ${label} from ${channel}`, undo});
      return `Removed ${label} from ${channel} · Z undo`;
    },
    failureText: `${label} was not removed`,
  });
}

type NewMembers = {userIds: readonly number[]; groupIds: readonly number[]};

function openAddMembersForm(app: App, channelId: number): void {
  const form: Form<NewMembers> = {
    id: `add members ${channelId}`,
    title: `Add members to #${channelName(app.state, channelId)}`,
    saveLabel: 'Add',
    initial: () => ({userIds: [], groupIds: []}),
    fields: () => [
      {
        kind: 'people',
        key: 'userIds',
        label: 'People',
        isOffered: (id, {account}) => account.subscribers.get(channelId)?.ids.has(id) !== true,
      },
      {kind: 'groups', key: 'groupIds', label: 'Groups', help: 'Adds everyone who is in these groups now.'},
    ],
    save: async (from, _changes, {userIds, groupIds}) => {
      const members = groupIds.flatMap((id) => groupMemberIds(from.state, id, from.clock.now()));
      const ids = [...new Set([...userIds, ...members])];
      if (ids.length === 0) throw new Error('These groups have no members.');
      const {unauthorized} = await subscribe(from.session.context, [channelId], ids);
      if (unauthorized.length > 0) throw new Error('The server did not allow it.');
      return `Added ${countedNoun(ids.length, 'member')}`;
    },
  };
  openForm(app, form);
}
