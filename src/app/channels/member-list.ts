import type {App} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction, viewAction} from '#app/forms/record-list.ts';
import {openUserCard} from '#app/people/user-card.ts';
import {requestFromServer, undoOffer} from '#app/requests/server-request.ts';
import {removeSubscribers, type SubscribeOutcome, subscribe} from '#state/actions/channels.ts';
import {channelName, distinctUserName, sortedByName, userName} from '#state/selectors/names/names.ts';
import {canAddSubscribers, canRemoveSubscribers} from '#state/selectors/permissions/channel-permissions.ts';
import {groupMemberIds, refusalReason} from '#state/selectors/permissions/permission.ts';
import {composed} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import {type FormField, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {featureProblem} from '#wire/server-features.ts';
import {channelsTitle, refusedText} from './channel-actions.ts';

/** Opens the list of a channel's subscribers, to add and remove them. */
export function openMemberList(app: App, channelId: number): void {
  const name = channelName(app.state, channelId);
  openRecordList(app, {
    id: `members ${channelId}`,
    title: composed`Members of #${name}`,
    placeholder: 'find a member',
    empty: 'No members',
    // The state has the list, and events keep it current; it may not be complete yet.
    reads: [{key: ['members', channelId], fetch: () => app.session.fetchSubscribers(channelId).then(() => true)}],
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
      viewAction('Enter', 'shows the profile', (from, {key}) => openUserCard(from, Number(key))),
      recordAction('Delete', 'removes', {
        disabledReason: ({key}, {account, minute}) =>
          refusalReason(canRemoveSubscribers(account, channelId, minute, Number(key))),
        confirm: ({label}) => ({title: composed`Remove ${label} from #${name}?`, yes: composed`Remove ${label}`}),
        run: (from, {key, label}) => removeMember(from, channelId, Number(key), label),
      }),
    ],
  });
}

function removeMember(app: App, channelId: number, userId: number, label: string): void {
  const {context} = app.session;
  const channel = composed`#${channelName(app.state, channelId)}`;
  requestFromServer(app, {
    send: () => removeSubscribers(context, channelId, [userId]),
    doneText: () => {
      const done = composed`Removed ${label} from ${channel}`;
      if (!canAddSubscribers(app.state, channelId, app.clock.now()).ok) return done;
      return undoOffer(app, {
        label: done,
        undo: () => addAgain(app, channelId, userId),
        undoneText: composed`Added ${label} to ${channel} again`,
        failureText: composed`${label} was not added again`,
      });
    },
    failureText: composed`${label} was not removed`,
  });
}

async function addAgain({session}: App, channelId: number, userId: number): Promise<void> {
  const {unauthorized} = await subscribe(session.context, [channelId], {userIds: [userId], tellsThem: false});
  if (unauthorized.length > 0) throw new Error(refusedText(unauthorized));
}

/** Returns why the user cannot add people to these channels; without channels, to any channel. */
export function addPeopleProblem(app: AppReader, channelIds: readonly number[]): string | undefined {
  const {frame} = app;
  const problem = changeProblem(app) ?? firstReason(frame, channelIds);
  if (problem !== undefined || channelIds.length > 0) return problem;
  const {account, minute} = frame;
  const isPossible = [...account.channels.keys()].some((id) => canAddSubscribers(account, id, minute).ok);
  return isPossible ? undefined : 'You do not have permission to add people to channels.';
}

type NewSubscribers = {
  userIds: readonly number[];
  groupIds: readonly number[];
  channelIds: readonly number[];
  tellsThem: boolean;
};

/** Opens the form that subscribes other users, also those of groups, to one or several channels. */
export function openAddPeopleForm(app: App, channelIds: readonly number[]): void {
  openForm<NewSubscribers>(app, {
    id: `add people ${channelIds.join(' ')}`,
    title:
      channelIds.length === 1 ? composed`Add people to ${channelsTitle(app, channelIds)}` : 'Add people to channels',
    isNew: true,
    saveLabel: 'Add them',
    initial: () => ({userIds: [], groupIds: [], channelIds, tellsThem: true}),
    fields: addPeopleFields,
    save: async (from, _changes, values) => {
      const {state, clock, session} = from;
      const members = values.groupIds.flatMap((id) => groupMemberIds(state, id, clock.now()));
      const userIds = [...new Set([...values.userIds, ...members])];
      if (userIds.length === 0) throw new Error('These groups have no members.');
      const {tellsThem} = values;
      const outcome = await subscribe(session.context, values.channelIds, {userIds, tellsThem});
      return outcomeText(from, values.channelIds, outcome);
    },
  });
}

function addPeopleFields({account}: Frame, values: NewSubscribers): readonly FormField[] {
  const isSubscribedToAll = (id: number) =>
    values.channelIds.length > 0 &&
    values.channelIds.every((channelId) => account.subscribers.get(channelId)?.ids.has(id) === true);
  const hasNobody = values.userIds.length === 0 && values.groupIds.length === 0;
  return [
    formField('people', 'userIds', 'People', {
      emptyText: 'nobody',
      help: 'Those who are in all chosen channels are not listed.',
      isOffered: (id) => !isSubscribedToAll(id) && account.users.get(id)?.isSystemBot !== true,
      validate: () => (hasNobody ? 'Choose people or groups' : undefined),
    }),
    formField('groups', 'groupIds', 'Groups', {
      help: 'Adds everyone who is in these groups now.',
      hasSystemGroups: true,
      isOffered: (id) => !['role:nobody', 'role:internet'].includes(account.groups.get(id)?.name ?? ''),
    }),
    formField('channels', 'channelIds', 'Channels', {
      isOffered: (id, frame) => canAddSubscribers(frame.account, id, frame.minute).ok,
      validate: (value, _values, frame) =>
        (value.length === 0 ? 'Choose a channel' : undefined) ?? firstReason(frame, value),
    }),
    formField('switch', 'tellsThem', 'Tell them', {
      help: 'Sends each of them a direct message about it.',
      disabled: featureProblem(account.server.level, 'subscriptionNotices'),
    }),
  ];
}

/** Returns why people cannot be added to one of the channels; undefined if they can be added to any of them. */
function firstReason({account, minute}: Frame, channelIds: readonly number[]): string | undefined {
  const reasons = channelIds.map((id) => refusalReason(canAddSubscribers(account, id, minute)));
  return reasons.find((reason) => reason !== undefined);
}

/** Returns the toast: who was added, and what the server did not do. Throws if it added nobody. */
function outcomeText(app: App, channelIds: readonly number[], outcome: SubscribeOutcome): ToastMessage {
  const {added, unauthorized, isTold} = outcome;
  if (unauthorized.length === channelIds.length) throw new Error(`Adding people is ${refusedText(unauthorized)}.`);
  const filled = [...added].filter(([, ids]) => ids.length > 0);
  const notes = [
    ...(unauthorized.length > 0 ? [refusedText(unauthorized)] : []),
    ...(isTold ? [] : ['too many to tell them']),
  ];
  const done = filled.length === 0 ? {text: 'They were subscribed already'} : addedToast(app, filled);
  return {...done, note: notes.length === 0 ? undefined : notes.join(' · ')};
}

function addedToast(
  app: App,
  added: readonly (readonly [channelId: number, userIds: readonly number[]])[],
): ToastMessage {
  const {state, session, clock} = app;
  const [first, ...others] = [...new Set(added.flatMap(([, ids]) => ids))];
  const people =
    first !== undefined && others.length === 0 ? distinctUserName(state, first) : `${others.length + 1} people`;
  const title = channelsTitle(
    app,
    added.map(([id]) => id),
  );
  const label = composed`Added ${people} to ${title}`;
  if (added.some(([id]) => !canRemoveSubscribers(state, id, clock.now()).ok)) return {text: label};
  return undoOffer(app, {
    label,
    undo: async () => {
      for (const [channelId, ids] of added) await removeSubscribers(session.context, channelId, ids);
    },
    undoneText: composed`Removed ${people} from ${title} again`,
    failureText: composed`${people} not removed`,
  });
}
