import type {Channel} from '#state/model/channel.ts';
import type {Message} from '#state/model/message.ts';
import {serverNow} from '#state/selectors/people/people.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {
  canPostInChannel,
  canReadChannel,
  isChannelAdministrator,
  isSubscribed,
  unknownChannel,
} from './channel-permissions.ts';
import {
  allowed,
  allowedIf,
  type ChannelPermissionName,
  hasChannelPermission,
  hasRealmPermission,
  isModerator,
  type Permission,
  type RealmPermissionName,
  refused,
} from './permission.ts';

/** Returns whether the user can edit the content: only of own messages, within the organization's limits. */
export function canEditContent(state: AccountState, message: Message, nowMs: number): Permission {
  if (message.senderId !== state.self.userId) return refused('You can edit only your own messages.');
  if (state.realm.allowMessageEditing === false) {
    return refused('Editing messages is turned off in this organization.');
  }
  if (message.submessages.length > 0) return refused('Polls and to-do lists cannot be edited.');
  const changeable = isChangeable(state, message, nowMs);
  if (!changeable.ok) return changeable;
  const limit = state.realm.messageContentEditLimitSeconds;
  return isWithinLimit(state, message, limit, nowMs)
    ? allowed
    : refused('The time limit for editing this message has passed.');
}

/** Returns the seconds left for editing; undefined when there is no limit. */
export function editSecondsLeft(state: AccountState, message: Message, nowMs: number): number | undefined {
  const limit = state.realm.messageContentEditLimitSeconds;
  if (limit === undefined || limit === null) return undefined;
  return Math.max(0, Math.floor(limit - (serverNow(state, nowMs) - message.timestamp)));
}

export function canDeleteMessage(state: AccountState, message: Message, nowMs: number): Permission {
  const changeable = isChangeable(state, message, nowMs);
  if (!changeable.ok) return changeable;
  const channel = channelOf(state, message);
  if (hasPermissionIn(state, channel, 'canDeleteAnyMessageGroup', nowMs)) return allowed;
  if (!isOwn(state, message)) return refused('You do not have permission to delete this message.');
  const isAllowedOwn = hasPermissionIn(state, channel, 'canDeleteOwnMessageGroup', nowMs);
  if (!isAllowedOwn) return refused('You do not have permission to delete messages.');
  return allowedIf(
    isWithinLimit(state, message, state.realm.messageContentDeleteLimitSeconds, nowMs),
    'The time limit for deleting this message has passed.',
  );
}

/** Returns whether the user can delete whole topics of a channel: whoever can delete any message there. */
export function canDeleteTopic(state: AccountState, channelId: number, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(unknownChannel);
  if (channel.isArchived === true) return refused(archivedProblem(channel));
  const denied = refused(composed`You do not have permission to delete topics in #${channel.name}.`);
  if (!canReadChannel(state, channel, nowMs)) return denied;
  return hasPermissionIn(state, channel, 'canDeleteAnyMessageGroup', nowMs) ? allowed : denied;
}

/** Returns whether the user can move the message to another topic of the channel. */
export function canMoveToTopic(state: AccountState, message: Message, nowMs: number): Permission {
  if (message.kind === 'direct') return refused('Direct messages have no topic.');
  const changeable = isChangeable(state, message, nowMs);
  if (!changeable.ok) return changeable;
  const channel = channelOf(state, message);
  const isAllowed =
    hasRealmPermission(state, 'canMoveMessagesBetweenTopicsGroup', nowMs) ||
    hasChannelPermission(state, channel, 'canMoveMessagesWithinChannelGroup', nowMs) === true ||
    (channel !== undefined && isChannelAdministrator(state, channel, nowMs));
  if (!isAllowed) return refused('You do not have permission to move messages to another topic.');
  const limit = state.realm.moveMessagesWithinStreamLimitSeconds;
  return allowedIf(
    isModerator(state) || isWithinLimit(state, message, limit, nowMs),
    'The time limit for moving this message to another topic has passed.',
  );
}

/** Returns whether the user can move the message to another channel, and to `toChannelId` if given. */
export function canMoveToChannel(
  state: AccountState,
  message: Message,
  nowMs: number,
  toChannelId?: number,
): Permission {
  if (message.kind === 'direct') return refused('Direct messages cannot be moved to a channel.');
  const changeable = isChangeable(state, message, nowMs);
  if (!changeable.ok) return changeable;
  const {realm} = state;
  const channel = channelOf(state, message);
  const isAllowed =
    hasRealmPermission(state, 'canMoveMessagesBetweenChannelsGroup', nowMs) ||
    hasChannelPermission(state, channel, 'canMoveMessagesOutOfChannelGroup', nowMs) === true ||
    (channel !== undefined && isChannelAdministrator(state, channel, nowMs));
  if (!isAllowed) return refused('You do not have permission to move messages to another channel.');
  if (!isModerator(state) && !isWithinLimit(state, message, realm.moveMessagesBetweenStreamsLimitSeconds, nowMs)) {
    return refused('The time limit for moving this message to another channel has passed.');
  }
  if (toChannelId === undefined) return allowed;
  const target = state.channels.get(toChannelId);
  return target === undefined ? refused(unknownChannel) : canPostInChannel(state, target, nowMs);
}

/** Returns whether the user can resolve and unresolve a topic. */
export function canResolveTopic(state: AccountState, channelId: number, topic: string, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(unknownChannel);
  if (channel.isArchived === true) return refused(archivedProblem(channel));
  if (topic === '') return refused('The general topic of a channel cannot be resolved.');
  const denied = refused(composed`You do not have permission to resolve topics in #${channel.name}.`);
  if (!canReadChannel(state, channel, nowMs)) return denied;
  return hasPermissionIn(state, channel, 'canResolveTopicsGroup', nowMs) ? allowed : denied;
}

/** Whether the user has a permission that exists for the organization and for single channels in either. */
function hasPermissionIn(
  state: AccountState,
  channel: Channel | undefined,
  name: ChannelPermissionName & RealmPermissionName,
  nowMs: number,
): boolean {
  return hasRealmPermission(state, name, nowMs) || hasChannelPermission(state, channel, name, nowMs) === true;
}

function channelOf(state: AccountState, message: Message): Channel | undefined {
  return message.kind === 'channel' ? state.channels.get(message.channelId) : undefined;
}

/** Messages of the user's bots count as own. */
function isOwn({self, users}: AccountState, {senderId}: Message): boolean {
  return senderId === self.userId || users.get(senderId)?.botOwnerId === self.userId;
}

/** Refuses changes in archived channels, and where the user cannot read messages any more. */
function isChangeable(state: AccountState, message: Message, nowMs: number): Permission {
  if (message.kind === 'direct') return allowed;
  const channel = state.channels.get(message.channelId);
  if (channel === undefined) return refused(unknownChannel);
  if (channel.isArchived === true) return refused(archivedProblem(channel));
  return allowedIf(
    canReadChannel(state, channel, nowMs) && canSeeHistory(state, channel),
    composed`You no longer have access to the messages of #${channel.name}.`,
  );
}

/** Where history is protected, unsubscribing removes access to it. */
function canSeeHistory(state: AccountState, channel: Channel): boolean {
  return channel.historyPublicToSubscribers !== false || isSubscribed(state, channel.id);
}

function archivedProblem({name}: Channel): string {
  return composed`#${name} is archived: its messages cannot be changed.`;
}

/** Returns true when there is no limit. */
function isWithinLimit(
  state: AccountState,
  message: Message,
  limit: number | null | undefined,
  nowMs: number,
): boolean {
  return limit === undefined || limit === null || serverNow(state, nowMs) - message.timestamp <= limit;
}
