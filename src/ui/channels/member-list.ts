import {removeSubscribers, subscribe} from '#state/actions/channels.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import {channelName, distinctUserName, userName} from '#state/selectors/names/names.ts';
import {canAddSubscribers, canRemoveSubscribers} from '#state/selectors/permissions/channel-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {openRecordList, type RecordRow} from '#ui/forms/record-list.ts';
import {openUserCard} from '#ui/people/user-card.ts';
import {undoOffer} from '#ui/undo/undo-request.ts';
import {openAddPeopleForm} from './add-people-form.ts';
import {refusedText} from './subscribe.ts';

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
      label: 'Add people…',
      disabledReason: ({account, minute}) => refusalReason(canAddSubscribers(account, channelId, minute)),
      run: (from) => openAddPeopleForm(from, [channelId]),
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
      const done = `Removed ${label} from ${channel}`;
      if (!canAddSubscribers(app.state, channelId, app.clock.now()).ok) return done;
      return undoOffer(app, {
        label: done,
        undo: () => addAgain(app, channelId, userId),
        undoneText: `Added ${label} to ${channel} again`,
        failureText: `${label} was not added again`,
      });
    },
    failureText: `${label} was not removed`,
  });
}

async function addAgain({session}: App, channelId: number, userId: number): Promise<void> {
  const {unauthorized} = await subscribe(session.context, [channelId], {userIds: [userId], tellsThem: false});
  if (unauthorized.length > 0) throw new Error(refusedText(unauthorized));
}
