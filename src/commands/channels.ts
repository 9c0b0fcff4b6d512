import {folderProblem, openFolderPicker, toggleSubscribed} from '#app/channels/channel-actions.ts';
import {copyChannelEmail, openChannelCard} from '#app/channels/channel-card.ts';
import {
  archiveOrAsk,
  archiveProblem,
  openChannelForm,
  openNewChannelForm,
  openSubscriptionForm,
  unarchive,
} from '#app/channels/channel-form.ts';
import {addPeopleProblem, openAddPeopleForm, openMemberList} from '#app/channels/member-list.ts';
import type {App} from '#app/core/app.ts';
import {clearSelection} from '#app/lists/move-in-list.ts';
import {changeTimeline, openNarrow} from '#app/navigation/navigation.ts';
import {actionTargets, currentChannelId} from '#app/targets/action-target.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {
  canCreateChannel,
  canSubscribe,
  isSubscribed,
  unreadableReason,
} from '#state/selectors/permissions/channel-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import {focusedList} from '#ui/list-table.ts';
import {type Command, command} from './command.ts';

export const noChannel = channelReason(() => undefined);

/** Returns the selected channels of a list, or else the current one. */
function currentChannelIds(app: AppReader): readonly number[] {
  const selected = focusedList(app.screen) === undefined ? [] : actionTargets(app);
  const ids = selected.filter((target) => target.kind === 'channel').map((target) => target.channelId);
  const current = currentChannelId(app);
  return ids.length > 0 || current === undefined ? ids : [current];
}

/** Returns a command that runs on the selected channels, and clears the selection. */
function withChannels(run: (app: App, channelIds: readonly number[]) => void): Command['run'] {
  return (app) => {
    const list = focusedList(app.screen);
    run(app, currentChannelIds(app));
    if (list !== undefined) clearSelection(app, list);
  };
}

/** Returns a function that says why a command cannot run on the selected channel. */
function channelReason(problem: (app: AppReader, channelId: number) => string | undefined) {
  return (app: AppReader) => {
    const channelId = currentChannelId(app);
    return channelId === undefined ? 'No channel is selected' : problem(app, channelId);
  };
}

function archivingReason(isArchived: boolean, otherwise: string) {
  return (app: AppReader) => {
    const [channelId, ...others] = currentChannelIds(app);
    if (channelId === undefined) return 'No channel is selected';
    if (others.length > 0) return 'Select a single channel: channels are archived one at a time';
    const {state, clock} = app;
    const isNow = state.channels.get(channelId)?.isArchived === true;
    return changeProblem(app) ?? (isNow === isArchived ? archiveProblem(state, channelId, clock.now()) : otherwise);
  };
}

function preview(app: App, channelId: number): void {
  openNarrow(app, channelNarrow(channelId));
  changeTimeline(app, app.screen.view, (timeline) => ({...timeline, isPeek: true}));
}

const toggleOne = withChannel((app, channelId) => toggleSubscribed(app, [channelId]));

/** Returns a command that runs on the selected channel. */
function withChannel(run: (app: App, channelId: number) => void): Command['run'] {
  return (app) => {
    const channelId = currentChannelId(app);
    if (channelId !== undefined) run(app, channelId);
  };
}

/** Returns a command that runs on the selected channel of a list, or else on the current one. */
function withSingleChannel(run: (app: App, channelId: number) => void): Command['run'] {
  return withChannels((app, [channelId]) => {
    if (channelId !== undefined) run(app, channelId);
  });
}

const subscribeProblem = channelReason((app, channelId) =>
  isSubscribed(app.state, channelId)
    ? 'You are already subscribed to this channel'
    : (refusalReason(canSubscribe(app.state, channelId, app.clock.now())) ?? changeProblem(app)),
);

/** Returns why the user cannot create any kind of channel. */
function newChannelProblem(app: AppReader): string | undefined {
  const {state, clock} = app;
  const isPossible = (['public', 'private', 'webPublic'] as const).some(
    (privacy) => canCreateChannel(state, privacy, clock.now()).ok,
  );
  return changeProblem(app) ?? (isPossible ? undefined : 'You do not have permission to create channels.');
}

export const channelCommands: readonly Command[] = [
  command('channel.subscribe', 'Subscribe / unsubscribe channel', withChannels(toggleSubscribed), {
    isChange: true,
    aliases: ['join channel', 'unsubscribe'],
    contexts: ['browser'],
    hint: 'subscribe',
    hints: {browser: 2},
    isAboutRow: true,
    disabledReason: noChannel,
  }),
  command('channel.view', 'Preview channel messages; nothing becomes read', withChannel(preview), {
    aliases: ['read channel', 'view channel', 'preview channel'],
    contexts: ['browser'],
    hint: 'preview',
    hints: {browser: 3, 'browser archived': 3},
    isAboutRow: true,
    disabledReason: channelReason(({state, clock}, channelId) => unreadableReason(state, channelId, clock.now())),
  }),
  command('channel.new', 'Create a channel', (app) => openNewChannelForm(app), {
    isChange: true,
    aliases: ['new channel', 'add channel', 'create channel'],
    contexts: ['browser', 'nav'],
    hint: 'new channel',
    hints: {browser: 4},
    opensTextField: true,
    disabledReason: newChannelProblem,
  }),
  command('channel.add-people', 'Add people to channels', withChannels(openAddPeopleForm), {
    aliases: ['subscribe others', 'subscribe people', 'invite to channel', 'add subscribers', 'add members'],
    contexts: ['browser', 'nav'],
    hint: 'add people',
    hints: {browser: 5},
    disabledReason: (app) => addPeopleProblem(app, currentChannelIds(app)),
  }),
  command('channel.folder', 'Move channel to a folder', withChannels(openFolderPicker), {
    aliases: ['channel folder', 'put channel into folder', 'group channels'],
    contexts: ['browser', 'nav'],
    hint: 'folder',
    hints: {browser: 8},
    isAboutRow: true,
    disabledReason: (app) => noChannel(app) ?? changeProblem(app) ?? folderProblem(app, currentChannelIds(app)),
  }),
  command('channel.archive', 'Archive channel', withSingleChannel(archiveOrAsk), {
    aliases: ['delete channel', 'close channel', 'deactivate channel'],
    contexts: ['browser', 'nav'],
    isAboutRow: true,
    disabledReason: archivingReason(false, 'The channel is archived already'),
  }),
  command('channel.unarchive', 'Unarchive channel', withSingleChannel(unarchive), {
    aliases: ['restore channel', 'reactivate channel'],
    contexts: ['browser', 'nav'],
    hint: 'unarchive',
    hints: {'browser archived': 2},
    isAboutRow: true,
    disabledReason: archivingReason(true, 'The channel is not archived'),
  }),
  command('channel.email', 'Copy the email address of this channel', withChannel(copyChannelEmail), {
    aliases: ['channel email', 'email to channel', 'send email to channel'],
    disabledReason: noChannel,
  }),
  command('channel.info', 'Channel details: members, notifications, leaving', withChannel(openChannelCard), {
    aliases: ['channel settings', 'channel members', 'notifications', 'about channel'],
    disabledReason: noChannel,
  }),
  command('channel.edit', 'Settings of this channel', withChannel(openChannelForm), {
    aliases: ['edit channel', 'rename channel', 'channel description', 'channel permissions', 'channel privacy'],
    contexts: ['browser', 'nav'],
    hint: 'settings',
    hints: {browser: 6, 'browser archived': 4},
    isAboutRow: true,
    disabledReason: noChannel,
  }),
  command('channel.members', 'Members of this channel', withChannel(openMemberList), {
    aliases: ['channel members', 'subscribers', 'remove from channel'],
    contexts: ['browser', 'nav'],
    isAboutRow: true,
    disabledReason: noChannel,
  }),
  command('channel.settings', 'My settings for this channel', withChannel(openSubscriptionForm), {
    aliases: ['channel notifications', 'channel color', 'channel colour', 'pin channel', 'mute channel'],
    disabledReason: noChannel,
  }),
  command('conv.subscribe', 'Subscribe to channel', toggleOne, {
    aliases: ['join channel', 'subscribe'],
    disabledReason: subscribeProblem,
  }),
  command('channel.leave', 'Leave channel', toggleOne, {
    aliases: ['unsubscribe', 'leave'],
    disabledReason: channelReason((app, channelId) =>
      isSubscribed(app.state, channelId) ? changeProblem(app) : 'You are not subscribed to this channel',
    ),
  }),
];
