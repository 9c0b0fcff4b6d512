import {isRefusal} from '#api/failure.ts';
import {requestFromServer, serverProblem} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import type {Form, FormAction} from '#app/core/form.ts';
import type {Frame} from '#app/core/frame.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {archiveChannel, createChannel, updateChannel} from '#state/actions/channels.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {canAdministerChannel} from '#state/selectors/permissions/channel-permissions.ts';
import {groupMemberIds} from '#state/selectors/permissions/group-members.ts';
import {featureProblem} from '#wire/server-features.ts';
import {channelFields} from './channel-fields.ts';
import {type ChannelValues, channelChangeOf, channelValues, newChannelOf, newChannelValues} from './channel-values.ts';

/** Opens the form for a new channel; `name` is what the user has typed already. */
export function openNewChannelForm(app: App, name = ''): void {
  const form: Form<ChannelValues> = {
    id: 'new channel',
    title: 'New channel',
    isNew: true,
    saveLabel: 'Create the channel',
    initial: (frame) => ({...newChannelValues(frame), name}),
    fields: (frame, values) => channelFields(frame, values, undefined),
    errorField: nameOfTakenChannel,
    save: async (from, changes, values) => {
      const {session, clock} = from;
      const members = values.groupIds.flatMap((id) => groupMemberIds(session.cache.state, id, clock.now()));
      const channel = {...newChannelOf(changes, values), subscriberIds: [...values.subscriberIds, ...members]};
      const id = await createChannel(session.context, channel);
      openNarrow(from, channelNarrow(id));
      return `Created #${values.name} · c starts a topic`;
    },
  };
  openForm(app, form);
}

/** Opens the form for the settings of a channel. */
export function openChannelForm(app: App, channelId: number): void {
  const channelIn = ({account}: Frame) => account.channels.get(channelId);
  const initial = (frame: Frame): ChannelValues => {
    const channel = channelIn(frame);
    return channel === undefined ? newChannelValues(frame) : channelValues(frame, channel);
  };
  const form: Form<ChannelValues> = {
    id: `channel ${channelId}`,
    title: `Settings of #${channelName(app.state, channelId)}`,
    initial,
    fields: (frame, values) => {
      const channel = channelIn(frame);
      return channel === undefined ? [] : channelFields(frame, values, channel);
    },
    errorField: nameOfTakenChannel,
    save: async (from, changes, values) => {
      await updateChannel(from.session.context, channelId, channelChangeOf(changes, values, initial(from.frame)));
      return `Saved the settings of #${values.name}`;
    },
    actions: (frame) => archiveActions(frame, channelId),
  };
  openForm(app, form);
}

function nameOfTakenChannel(error: unknown): string | undefined {
  return isRefusal(error, 'CHANNEL_ALREADY_EXISTS') ? 'name' : undefined;
}

function archiveActions({account, minute}: Frame, channelId: number): readonly FormAction[] {
  const channel = account.channels.get(channelId);
  if (channel === undefined) return [];
  const permission = canAdministerChannel(account, channelId, minute);
  const tooOld = featureProblem(account.server.level, 'unarchive');
  const disabled = permission.ok ? undefined : permission.reason;
  const name = `#${channel.name}`;
  if (channel.isArchived === true) {
    const run = (app: App) => unarchive(app, channelId, name);
    return [{id: 'unarchive', label: 'Unarchive the channel', disabled: disabled ?? tooOld, run}];
  }
  return [
    {
      id: 'archive',
      label: 'Archive the channel…',
      disabled,
      confirm: {
        title: `Archive ${name}?`,
        yes: `Archive ${name}`,
        detail: tooOld === undefined ? 'its messages stay, and nobody can post' : 'cannot be undone on this server',
      },
      run: (app) => archive(app, channelId, name),
    },
  ];
}

function archive(app: App, channelId: number, name: string): void {
  requestFromServer(app, {
    progressText: `Archiving ${name}…`,
    send: () => archiveChannel(app.session.context, channelId),
    doneText: () => {
      if (serverProblem(app, 'unarchive') !== undefined) return `Archived ${name}`;
      app.undoStack.push({
        label: `Archived ${name}`,
        undo: () => {
          unarchive(app, channelId, name);
          return `Unarchiving ${name}…`;
        },
      });
      return `Archived ${name} · Z undo`;
    },
    failureText: `${name} was not archived`,
  });
}

function unarchive(app: App, channelId: number, name: string): void {
  requestFromServer(app, {
    send: () => updateChannel(app.session.context, channelId, {is_archived: false}),
    doneText: () => `Unarchived ${name}`,
    failureText: `${name} is still archived`,
  });
}
