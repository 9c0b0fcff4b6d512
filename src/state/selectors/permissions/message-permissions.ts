import type {Channel} from '#state/model/channel.ts';
import type {Message} from '#state/model/message.ts';
import {serverNow} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {canReadChannel, isChannelAdministrator, isSubscribed, unknownChannel} from './channel-permissions.ts';
import {
  allowed,
  allowedIf,
  type ChannelPermissionName,
  hasChannelPermission,
  hasRealmPermission,
  isModerator,
  type Permission,
  refused,
} from './permission.ts';
import {canPostInChannel} from './sending-permissions.ts';

/** One's own text, as long as the organization lets one change it. */
export function canEditContent(state: AccountState, message: Message, nowMs: number): Permission {
  if (message.senderId !== state.self.userId) return refused('You can edit only your own messages.');
  if (state.realm.allowMessageEditing === false) {
    return refused('Editing messages is turned off in this organization.');
  }
  if (message.submessages.length > 0) return refused('Polls and todo lists cannot be edited.');
  const changeable = isChangeable(state, message, nowMs);
  if (!changeable.ok) return changeable;
  const limit = state.realm.messageContentEditLimitSeconds;
  return isYoungEnough(state, message, limit, nowMs)
    ? allowed
    : refused('The time for editing this message is over.');
}

/** How long one may still edit it, in seconds; undefined when there is no limit. */
export function editSecondsLeft(state: AccountState, message: Message, nowMs: number): number | undefined {
  const limit = state.realm.messageContentEditLimitSeconds;
  if (limit === undefined || limit === null) return undefined;
  return Math.max(0, Math.floor(limit - (serverNow(state, nowMs) - message.timestamp)));
}

export function canDeleteMessage(state: AccountState, message: Message, nowMs: number): Permission {
  const changeable = isChangeable(state, message, nowMs);
  if (!changeable.ok) return changeable;
  const {realm, self} = state;
  const any = {fallback: 'role:administrators'} as const;
  if (hasRealmPermission(state, self.userId, 'canDeleteAnyMessageGroup', nowMs, any)) return allowed;
  const channel = channelOf(state, message);
  if (inChannel(state, channel, 'canDeleteAnyMessageGroup', nowMs)) return allowed;
  if (!isOwn(state, message)) return refused('You do not have permission to delete this message.');
  const own = {policy: {code: realm.deleteOwnMessagePolicy}, fallback: 'role:everyone'} as const;
  const mayOwn =
    hasRealmPermission(state, self.userId, 'canDeleteOwnMessageGroup', nowMs, own) ||
    inChannel(state, channel, 'canDeleteOwnMessageGroup', nowMs);
  if (!mayOwn) return refused('You do not have permission to delete messages.');
  return isYoungEnough(state, message, realm.messageContentDeleteLimitSeconds, nowMs)
    ? allowed
    : refused('The time for deleting this message is over.');
}

/** To another topic of the same channel. */
export function canMoveToTopic(state: AccountState, message: Message, nowMs: number): Permission {
  if (message.kind === 'direct') return refused('Direct messages have no topic.');
  const changeable = isChangeable(state, message, nowMs);
  if (!changeable.ok) return changeable;
  const channel = channelOf(state, message);
  const may =
    mayRetitle(state, nowMs) ||
    inChannel(state, channel, 'canMoveMessagesWithinChannelGroup', nowMs) ||
    (channel !== undefined && isChannelAdministrator(state, channel, nowMs));
  if (!may) return refused('You do not have permission to move messages to another topic.');
  const limit = state.realm.moveMessagesWithinStreamLimitSeconds;
  return allowedIf(
    isModerator(state) || isYoungEnough(state, message, limit, nowMs),
    'The time for moving this message to another topic is over.',
  );
}

/** To another channel; `toChannelId` also has to take it. */
export function canMoveToChannel(
  state: AccountState,
  message: Message,
  nowMs: number,
  toChannelId?: number,
): Permission {
  if (message.kind === 'direct') return refused('Direct messages cannot be moved to a channel.');
  const changeable = isChangeable(state, message, nowMs);
  if (!changeable.ok) return changeable;
  const {realm, self} = state;
  const channel = channelOf(state, message);
  const older = {
    policy: {code: realm.moveMessagesBetweenStreamsPolicy},
    fallback: 'role:administrators',
  } as const;
  const may =
    hasRealmPermission(state, self.userId, 'canMoveMessagesBetweenChannelsGroup', nowMs, older) ||
    inChannel(state, channel, 'canMoveMessagesOutOfChannelGroup', nowMs) ||
    (channel !== undefined && isChannelAdministrator(state, channel, nowMs));
  if (!may) return refused('You do not have permission to move messages to another channel.');
  if (
    !isModerator(state) &&
    !isYoungEnough(state, message, realm.moveMessagesBetweenStreamsLimitSeconds, nowMs)
  ) {
    return refused('The time for moving this message to another channel is over.');
  }
  if (toChannelId === undefined) return allowed;
  const target = state.channels.get(toChannelId);
  return target === undefined ? refused(unknownChannel) : canPostInChannel(state, target, nowMs);
}

/** Marking a topic as resolved, or taking it up again. */
export function canResolveTopic(
  state: AccountState,
  channelId: number,
  topic: string,
  nowMs: number,
): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(unknownChannel);
  if (channel.isArchived === true) return refused(archived(channel));
  if (topic === '') return refused('The general topic of a channel cannot be resolved.');
  const no = refused(`You do not have permission to resolve topics in #${channel.name}.`);
  if (!canReadChannel(state, channel, nowMs)) return no;
  // Where resolving has no permission of its own it is renaming.
  const may =
    state.realm.canResolveTopicsGroup === undefined
      ? mayRetitle(state, nowMs)
      : hasRealmPermission(state, state.self.userId, 'canResolveTopicsGroup', nowMs, {
          fallback: 'role:everyone',
        });
  return may || inChannel(state, channel, 'canResolveTopicsGroup', nowMs) ? allowed : no;
}

function mayRetitle(state: AccountState, nowMs: number): boolean {
  const older = {policy: {code: state.realm.editTopicPolicy}, fallback: 'role:everyone'} as const;
  return hasRealmPermission(state, state.self.userId, 'canMoveMessagesBetweenTopicsGroup', nowMs, older);
}

function inChannel(
  state: AccountState,
  channel: Channel | undefined,
  name: ChannelPermissionName,
  nowMs: number,
): boolean {
  return (
    channel !== undefined && hasChannelPermission(state, state.self.userId, channel, name, nowMs) === true
  );
}

function channelOf(state: AccountState, message: Message): Channel | undefined {
  return message.kind === 'channel' ? state.channels.get(message.channelId) : undefined;
}

/** What one's bot wrote counts as one's own. */
function isOwn({self, users}: AccountState, {senderId}: Message): boolean {
  return senderId === self.userId || users.get(senderId)?.botOwnerId === self.userId;
}

/** Messages stay as they are in archived channels, and where one may no longer read. */
function isChangeable(state: AccountState, message: Message, nowMs: number): Permission {
  if (message.kind === 'direct') return allowed;
  const channel = state.channels.get(message.channelId);
  if (channel === undefined) return refused(unknownChannel);
  if (channel.isArchived === true) return refused(archived(channel));
  return allowedIf(
    canReadChannel(state, channel, nowMs) && seesPast(state, channel),
    `You no longer have access to the messages of #${channel.name}.`,
  );
}

/** Where the past is protected, leaving the channel takes it away. */
function seesPast(state: AccountState, channel: Channel): boolean {
  return channel.historyPublicToSubscribers !== false || isSubscribed(state, channel.id);
}

function archived({name}: Channel): string {
  return `#${name} is archived: its messages cannot be changed.`;
}

/** Without a limit everything is. */
function isYoungEnough(
  state: AccountState,
  message: Message,
  limit: number | null | undefined,
  nowMs: number,
): boolean {
  return limit === undefined || limit === null || serverNow(state, nowMs) - message.timestamp <= limit;
}
