import {currentChannelId} from '#app/actions/action-target.ts';
import {changeProblem} from '#app/actions/server-request.ts';
import {openChannelCard} from '#app/channels/channel-card.ts';
import {openChannelForm, openNewChannelForm} from '#app/channels/channel-form.ts';
import {openMemberList} from '#app/channels/member-list.ts';
import {toggleSubscribed} from '#app/channels/subscribe.ts';
import {openSubscriptionForm} from '#app/channels/subscription-form.ts';
import type {App} from '#app/core/app.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {canSubscribe, isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {Command} from './command.ts';

export function noChannel(app: App): string | undefined {
  return currentChannelId(app) === undefined ? 'No channel is selected' : undefined;
}

/** Returns a command that runs on the selected channel. */
function withChannel(run: (app: App, channelId: number) => void): Command['run'] {
  return (app) => {
    const channelId = currentChannelId(app);
    if (channelId !== undefined) run(app, channelId);
  };
}

function subscribeProblem(app: App): string | undefined {
  const channelId = currentChannelId(app);
  if (channelId === undefined) return 'No channel is selected';
  if (isSubscribed(app.state, channelId)) return 'You are already subscribed to this channel';
  const permission = canSubscribe(app.state, channelId, app.clock.now());
  return permission.ok ? changeProblem(app) : permission.reason;
}

export const channelCommands: readonly Command[] = [
  {
    id: 'channel.subscribe',
    title: 'Subscribe / unsubscribe channel',
    isChange: true,
    aliases: ['join channel', 'unsubscribe'],
    contexts: ['browser'],
    hint: 'subscribe',
    hints: {browser: 2},
    isAboutRow: true,
    disabledReason: noChannel,
    run: withChannel(toggleSubscribed),
  },
  {
    id: 'channel.view',
    title: 'View channel messages',
    aliases: ['read channel', 'preview channel'],
    contexts: ['browser'],
    hint: 'view',
    hints: {browser: 3},
    isAboutRow: true,
    disabledReason: noChannel,
    run: withChannel((app, channelId) => openNarrow(app, channelNarrow(channelId))),
  },
  {
    id: 'channel.new',
    title: 'Create a channel',
    isChange: true,
    aliases: ['new channel', 'add channel', 'create channel'],
    contexts: ['browser', 'nav'],
    hint: 'new channel',
    hints: {browser: 4},
    opensTextField: true,
    disabledReason: changeProblem,
    run: (app) => openNewChannelForm(app),
  },
  {
    id: 'channel.info',
    title: 'Channel details: members, notifications, leaving',
    aliases: ['channel settings', 'channel members', 'notifications', 'about channel'],
    contexts: ['nav'],
    disabledReason: noChannel,
    run: withChannel(openChannelCard),
  },
  {
    id: 'channel.edit',
    title: 'Edit this channel',
    aliases: ['channel settings', 'rename channel', 'channel permissions', 'channel privacy', 'archive channel'],
    contexts: ['nav'],
    disabledReason: noChannel,
    run: withChannel(openChannelForm),
  },
  {
    id: 'channel.members',
    title: 'Members of this channel',
    aliases: ['channel members', 'subscribers', 'add people', 'invite to channel', 'remove from channel'],
    contexts: ['nav'],
    disabledReason: noChannel,
    run: withChannel(openMemberList),
  },
  {
    id: 'channel.settings',
    title: 'My settings for this channel',
    aliases: ['channel notifications', 'channel color', 'channel colour', 'pin channel', 'mute channel'],
    contexts: ['nav'],
    disabledReason: noChannel,
    run: withChannel(openSubscriptionForm),
  },
  {
    id: 'conv.subscribe',
    title: 'Subscribe to channel',
    aliases: ['join channel', 'subscribe'],
    contexts: ['nav'],
    disabledReason: subscribeProblem,
    run: withChannel(toggleSubscribed),
  },
  {
    id: 'channel.leave',
    title: 'Leave channel',
    aliases: ['unsubscribe', 'leave'],
    contexts: ['nav'],
    disabledReason: (app) => {
      const channelId = currentChannelId(app);
      if (channelId === undefined) return 'No channel is selected';
      return isSubscribed(app.state, channelId) ? changeProblem(app) : 'You are not subscribed to this channel';
    },
    run: withChannel(toggleSubscribed),
  },
];
