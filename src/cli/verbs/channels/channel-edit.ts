import {requireParameters} from '#api/encode-request.ts';
import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {conversationNeeds, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {changeEach, changeRepeatably} from '#cli/make-change.ts';
import {channelArgument, requirePermission} from '#cli/name-arguments.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
import {archiveChannel, type ChannelChange, updateChannel} from '#state/actions/channels.ts';
import type {Channel} from '#state/model/channel.ts';
import {canAdministerChannel} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import {endpoints} from '#wire/endpoints.ts';
import {checkChannelName} from './channel-create.ts';
import {commonSettings, privacies, settingNeeds} from './channel-settings.ts';

export const channelEdit: VerbRunner<'channel edit'> = ({values, words}, io, signal) =>
  withState(values, io, signal, settingNeeds(values), (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      const {state} = verbContext;
      const channel = channelArgument(state, words[0] ?? '');
      const change = changeOf(state, channel, values);
      if (Object.keys(change).length === 0) throw new UsageError('Give at least one setting to change.');
      requirePermission(canAdministerChannel(state, channel.id, io.clock.now()));
      requireParameters(endpoints.updateChannel, Object.keys(change), verbContext.api.connection.level);
      await changeRepeatably(() => updateChannel(context, channel.id, change));
      const name = change.new_name ?? channel.name;
      if (values.json) printJson(io, {id: channel.id, name, changed: Object.keys(change)});
      else print(io, `Changed #${printableLine(name)}.`);
      return exitCodes.ok;
    }),
  );

function changeOf(
  state: AccountState,
  channel: Channel,
  values: VerbArguments<'channel edit'>['values'],
): ChannelChange {
  const name = values.name?.trim().replace(/^#/, '');
  if (name !== undefined) checkChannelName(state, name, channel.id);
  const {retention, topicsPolicy, folderId, isDefault, defaultPush, permissions} = commonSettings(state, values);
  const permissionChanges = Object.entries(permissions).map(([key, value]) => [key, {new: value}] as const);
  return {
    ...(name !== undefined && {new_name: name}),
    ...(values.description !== undefined && {description: values.description}),
    ...(values.privacy !== undefined && privacyChange(channel, privacies[values.privacy])),
    ...(retention !== undefined && {message_retention_days: retention}),
    ...(topicsPolicy !== undefined && {topics_policy: topicsPolicy}),
    ...(folderId !== undefined && {folder_id: folderId}),
    ...(isDefault !== undefined && {is_default_stream: isDefault}),
    ...(defaultPush !== undefined && {default_push_notifications: defaultPush}),
    ...Object.fromEntries(permissionChanges),
  };
}

function privacyChange(channel: Channel, to: (typeof privacies)[keyof typeof privacies]): ChannelChange {
  return {
    is_private: to.isPrivate,
    ...((to.isWebPublic || channel.isWebPublic === true) && {is_web_public: to.isWebPublic}),
    history_public_to_subscribers: to.hasSharedHistory,
  };
}

export const channelArchive = archiveRunner(true);
export const channelUnarchive = archiveRunner(false);

function archiveRunner(archives: boolean): VerbRunner<'channel archive' | 'channel unarchive'> {
  const done = archives ? 'Archived' : 'Unarchived';
  return ({values, words}, io, signal) => {
    const fetch = [...conversationNeeds, 'realm_user_groups'] as const;
    return withState(values, io, signal, {fetch, people: 'self'}, (verbContext) =>
      withSessionContext(verbContext, async (context) => {
        const channels = words.map((word) => channelArgument(verbContext.state, word));
        for (const {id} of channels) requirePermission(canAdministerChannel(verbContext.state, id, io.clock.now()));
        const pending = channels.filter(({isArchived}) => (isArchived === true) !== archives);
        await changeEach(
          pending,
          ({id}) => (archives ? archiveChannel(context, id) : updateChannel(context, id, {is_archived: false})),
          (count) => printNotice(io, `${done} ${channelNames(pending.slice(0, count))}. Then this failed:`),
        );
        if (values.json) printJson(io, {channels: channels.map(({id, name}) => ({id, name})), isArchived: archives});
        else print(io, `${done} ${channelNames(channels)}.`);
        return exitCodes.ok;
      }),
    );
  };
}

function channelNames(channels: readonly Channel[]): string {
  return channels.map(({name}) => printableLine(`#${name}`)).join(', ');
}
