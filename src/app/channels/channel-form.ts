import type {App} from '#app/core/app.ts';
import {openForm, valuesBefore} from '#app/forms/open-form.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {confirm} from '#app/overlays/picker.ts';
import {requestFromServer, undoOffer} from '#app/requests/server-request.ts';
import {performAllUndoable} from '#app/undo/perform-undoable.ts';
import {archiveChannel, createChannel, updateChannel} from '#state/actions/channels.ts';
import type {SubscriptionAction, SubscriptionSetting} from '#state/actions/own-settings.ts';
import type {Subscription} from '#state/model/channel.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {canAdministerChannel} from '#state/selectors/permissions/channel-permissions.ts';
import {groupMemberIds} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {type ChannelSwitch, channelSwitches} from '#ui/channels/channel-card-lines.ts';
import {type FormAction, type FormChoice, type FormField, formAction, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {isRefusal} from '#wire/failure.ts';
import {featureProblem} from '#wire/server-features.ts';
import {
  type ChannelValues,
  channelChangeOf,
  channelDisabledReason,
  channelFields,
  channelValues,
  newChannelOf,
} from './channel-fields.ts';

const errorField = (error: unknown) => (isRefusal(error, 'CHANNEL_ALREADY_EXISTS') ? 'name' : undefined);

/** Opens the form for a new channel; `name` is what the user has typed already. */
export function openNewChannelForm(app: App, name = ''): void {
  openForm<ChannelValues>(app, {
    id: 'new channel',
    title: 'New channel',
    isNew: true,
    saveLabel: 'Create the channel',
    initial: (frame) => ({...channelValues(frame, undefined), name}),
    fields: (frame, values) => channelFields(frame, values, undefined),
    errorField,
    save: async (from, changes, values) => {
      const {session, clock} = from;
      const members = values.groupIds.flatMap((id) => groupMemberIds(session.cache.state, id, clock.now()));
      const channel = {...newChannelOf(changes, values), subscribers: [...values.subscriberIds, ...members]};
      const id = await createChannel(session.context, channel);
      openNarrow(from, channelNarrow(id));
      return {text: composed`Created #${values.name}`, offer: {label: 'starts a topic', commands: ['compose.topic']}};
    },
  });
}

/** Opens the form for the settings of a channel. */
export function openChannelForm(app: App, channelId: number): void {
  const channelIn = ({account}: Frame) => account.channels.get(channelId);
  openForm<ChannelValues>(app, {
    id: `channel ${channelId}`,
    title: composed`Settings of #${channelName(app.state, channelId)}`,
    disabledReason: (frame) => channelDisabledReason(frame, channelId),
    initial: (frame) => channelValues(frame, channelIn(frame)),
    fields: (frame, values) => {
      const channel = channelIn(frame);
      return channel === undefined ? [] : channelFields(frame, values, channel);
    },
    errorField,
    save: async (from, changes, values, before) => {
      const {context} = from.session;
      await updateChannel(context, channelId, channelChangeOf(changes, values, before));
      return undoOffer(from, {
        label: changedText(before, values, Object.keys(changes)),
        undo: () => updateChannel(context, channelId, channelChangeOf(valuesBefore(changes, before), before, values)),
        undoneText: composed`#${before.name} is as it was`,
        failureText: composed`#${values.name} was not changed back`,
      });
    },
    actions: (frame) => archiveActions(frame, channelId),
  });
}

/** Returns what was changed, for undo: a new name is the most important. */
function changedText(before: ChannelValues, values: ChannelValues, keys: readonly string[]): string {
  if (!keys.includes('name')) return composed`Changed the settings of #${values.name}`;
  const renamed = composed`Renamed #${before.name} to #${values.name}`;
  return keys.length === 1 ? renamed : `${renamed} and changed its settings`;
}

function archiveActions({account, minute}: Frame, channelId: number): readonly FormAction[] {
  const channel = account.channels.get(channelId);
  if (channel === undefined) return [];
  const disabled = archiveProblem(account, channelId, minute);
  return channel.isArchived === true
    ? [formAction('unarchive', 'Unarchive the channel', {disabled, run: (app) => unarchive(app, channelId)})]
    : [formAction('archive', 'Archive the channel…', {disabled, run: (app) => archiveOrAsk(app, channelId)})];
}

/** Returns why the user cannot archive a channel, or unarchive it if it is archived. */
export function archiveProblem(state: AccountState, channelId: number, nowMs: number): string | undefined {
  const permission = canAdministerChannel(state, channelId, nowMs);
  if (!permission.ok) return permission.reason;
  const isArchived = state.channels.get(channelId)?.isArchived === true;
  return isArchived ? featureProblem(state.server.level, 'unarchive') : undefined;
}

/** Archives a channel after a confirmation, because its subscribers can no longer post. */
export function archiveOrAsk(app: App, channelId: number): void {
  confirm(app, {
    title: composed`Archive #${channelName(app.state, channelId)}?`,
    yes: 'Archive',
    detail: 'it becomes read-only',
    onYes: () => setArchived(app, channelId, true),
  });
}

/** The request that archives or unarchives a channel, with what it says. */
function archiving({session}: App, channelId: number, name: string, isArchived: boolean) {
  const {context} = session;
  return isArchived
    ? {
        send: () => archiveChannel(context, channelId),
        progressText: composed`Archiving ${name}…`,
        doneText: composed`Archived ${name}`,
        failureText: composed`${name} was not archived`,
      }
    : {
        send: () => updateChannel(context, channelId, {is_archived: false}),
        progressText: composed`Unarchiving ${name}…`,
        doneText: composed`Unarchived ${name}`,
        failureText: composed`${name} is still archived`,
      };
}

function setArchived(app: App, channelId: number, isArchived: boolean): void {
  const name = composed`#${channelName(app.state, channelId)}`;
  const {doneText: label, ...change} = archiving(app, channelId, name, isArchived);
  const back = archiving(app, channelId, name, !isArchived);
  const undo = {undo: back.send, undoneText: back.doneText, failureText: back.failureText};
  const canUndo = !isArchived || featureProblem(app.state.server.level, 'unarchive') === undefined;
  requestFromServer<unknown>(app, {
    ...change,
    doneText: () => (canUndo ? undoOffer<unknown>(app, {label, ...undo}) : label),
  });
}

export function unarchive(app: App, channelId: number): void {
  setArchived(app, channelId, false);
}

/** The user's own settings for a channel. Notifications are null while they are as in the account's settings. */
type SubscriptionValues = Pick<Subscription, SubscriptionSetting>;

const defaults: SubscriptionValues = {
  color: '#c2c2c2',
  isMuted: false,
  pinToTop: false,
  desktopNotifications: null,
  audibleNotifications: null,
  pushNotifications: null,
  emailNotifications: null,
  wildcardMentionsNotify: null,
};

/** Opens the form for the user's own settings for a channel. Its changes can be undone as one. */
export function openSubscriptionForm(app: App, channelId: number): void {
  const name = channelName(app.state, channelId);
  openForm<SubscriptionValues>(app, {
    id: `subscription ${channelId}`,
    title: composed`My settings for #${name}`,
    initial: ({account}) => {
      const own = account.subscriptions.get(channelId);
      if (own === undefined) return defaults;
      const {channelId: _, isSubscribed: __, ...values} = own;
      return values;
    },
    disabledReason: ({account}) =>
      account.subscriptions.get(channelId)?.isSubscribed === true
        ? undefined
        : 'You are not subscribed to this channel',
    fields: (frame) => subscriptionFields(frame, channelId),
    save: async (from, changes) => {
      const actions = Object.entries(changes).flatMap(([setting, value]): readonly SubscriptionAction[] =>
        typeof value === 'boolean' || typeof value === 'string'
          ? [{kind: 'subscription', channelId, setting: setting as SubscriptionSetting, value}]
          : [],
      );
      performAllUndoable(
        from,
        actions,
        composed`Changed your settings for #${name}`,
        undoText(from.frame, channelId, changes),
      );
      return undefined;
    },
  });
}

function subscriptionFields(frame: Frame, channelId: number): readonly FormField[] {
  const own = frame.account.subscriptions.get(channelId);
  return [
    formField('color', 'color', 'Color', {help: 'Enter shows a list of colors.'}),
    ...channelSwitches.slice(0, 2).map(({setting, title}) => formField('switch', setting, title)),
    {kind: 'section', label: 'Notifications'},
    ...channelSwitches.slice(2).map((one) => notificationField(frame, own, one)),
  ];
}

/**
 * Returns what undo says. A notification that was as in the account gets the account's present value, because no request
 * can make it follow the account again.
 */
export function undoText(
  {account}: Frame,
  channelId: number,
  changes: Partial<SubscriptionValues>,
): string | undefined {
  const own = account.subscriptions.get(channelId);
  const inherited = channelSwitches.filter(({setting}) => setting in changes && own?.[setting] === null);
  if (inherited.length === 0) return undefined;
  const values = inherited.map(
    ({title, inherited: name}) =>
      composed`${title} ${name !== undefined && account.settings[name] === true ? 'on' : 'off'}`,
  );
  return `Undone: ${values.join(', ')} as in your account, but set for this channel`;
}

/** Servers cannot set a notification back to the account's setting, so that choice is offered only while it is so. */
function notificationField(
  {account}: Frame,
  own: Subscription | undefined,
  {setting, title, inherited}: ChannelSwitch,
): FormField {
  const isInherited = own?.[setting] === null;
  const isOnByDefault = inherited !== undefined && account.settings[inherited] === true;
  const choices: readonly FormChoice[] = [
    {
      value: null,
      label: `${isOnByDefault ? 'On' : 'Off'}, as in my account`,
      ...(!isInherited && {disabled: 'A channel with its own setting keeps one'}),
    },
    {value: true, label: 'On'},
    {value: false, label: 'Off'},
  ];
  const help = isInherited
    ? 'Once set for this channel, it no longer follows your account: servers cannot take that back.'
    : undefined;
  return formField('choice', setting, title.replace(' notifications', ''), {choices, help});
}
