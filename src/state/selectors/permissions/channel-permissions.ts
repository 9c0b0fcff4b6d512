import type {Channel} from '#state/model/channel.ts';
import type {AccountState} from '#state/state.ts';
import {
  allowed,
  allowedIf,
  hasChannelPermission,
  hasRealmPermission,
  isAdministrator,
  isGuest,
  type Permission,
  refused,
} from './permission.ts';

export const unknownChannel = 'This channel does not exist, or you cannot see it.';

/** Returns why a channel is not among those that the user can see. */
export function missingChannelReason({formerChannels}: AccountState, channelId: number): string {
  const name = formerChannels.get(channelId);
  return name === undefined ? unknownChannel : `You no longer have access to #${name}.`;
}

export function isSubscribed(state: AccountState, channelId: number): boolean {
  return state.subscriptions.get(channelId)?.isSubscribed === true;
}

/**
 * Returns whether the user can read the messages of a channel. Administrators cannot read a private channel
 * by role alone.
 */
export function canReadChannel(state: AccountState, channel: Channel, nowMs: number): boolean {
  return isSubscribed(state, channel.id) || canReadUnsubscribed(state, channel, nowMs);
}

/** Returns whether the user could read a channel without a subscription, and so could subscribe without help. */
export function canReadUnsubscribed(state: AccountState, channel: Channel, nowMs: number): boolean {
  if (channel.isWebPublic === true) return true;
  if (isGuest(state)) return false;
  if (!channel.isPrivate) return true;
  return (
    hasChannelPermission(state, channel, 'canAddSubscribersGroup', nowMs) === true ||
    hasChannelPermission(state, channel, 'canSubscribeGroup', nowMs) === true
  );
}

/** Returns why the user cannot read the messages of a channel; undefined where they can. */
export function unreadableReason(state: AccountState, channelId: number, nowMs: number): string | undefined {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return missingChannelReason(state, channelId);
  return canReadChannel(state, channel, nowMs)
    ? undefined
    : `You do not have access to the messages of #${channel.name}.`;
}

/** Returns whether the user can change the channel's settings. */
export function canAdministerChannel(state: AccountState, channelId: number, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(missingChannelReason(state, channelId));
  return allowedIf(
    isChannelAdministrator(state, channel, nowMs),
    `Only administrators of #${channel.name} may change its settings.`,
  );
}

/** Returns whether the user administers the channel. Only visible channels are known, so visibility is not checked. */
export function isChannelAdministrator(state: AccountState, channel: Channel, nowMs: number): boolean {
  if (isAdministrator(state)) return true;
  return !isGuest(state) && hasChannelPermission(state, channel, 'canAdministerChannelGroup', nowMs) === true;
}

/** Returns whether the user can subscribe without help. */
export function canSubscribe(state: AccountState, channelId: number, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(missingChannelReason(state, channelId));
  if (channel.isArchived === true) return refused(`#${channel.name} is archived: you cannot join it.`);
  return allowedIf(
    !isGuest(state) && (isSubscribed(state, channelId) || canReadChannel(state, channel, nowMs)),
    `You cannot join #${channel.name} yourself: ask someone who can add subscribers.`,
  );
}

/** Returns whether the user can add other users. */
export function canAddSubscribers(state: AccountState, channelId: number, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(missingChannelReason(state, channelId));
  if (channel.isArchived === true) return refused(`#${channel.name} is archived: you cannot join it.`);
  const denied = refused(`You do not have permission to add people to #${channel.name}.`);
  if (isGuest(state) || !canReadChannel(state, channel, nowMs)) return denied;
  const isAllowed =
    isChannelAdministrator(state, channel, nowMs) ||
    hasRealmPermission(state, 'canAddSubscribersGroup', nowMs) ||
    hasChannelPermission(state, channel, 'canAddSubscribersGroup', nowMs) === true;
  return isAllowed ? allowed : denied;
}

/** Returns whether the user can remove `userId`; everyone can remove themselves and their own bots. */
export function canRemoveSubscribers(
  state: AccountState,
  channelId: number,
  nowMs: number,
  userId?: number,
): Permission {
  const {userId: selfId} = state.self;
  if (userId === selfId) return allowed;
  if (userId !== undefined && state.users.get(userId)?.botOwnerId === selfId) return allowed;
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(missingChannelReason(state, channelId));
  const isAllowed =
    isChannelAdministrator(state, channel, nowMs) ||
    hasChannelPermission(state, channel, 'canRemoveSubscribersGroup', nowMs) === true;
  return allowedIf(isAllowed, `You do not have permission to remove people from #${channel.name}.`);
}

export type ChannelPrivacy = 'public' | 'private' | 'webPublic';

const creationPermissions = {
  public: ['canCreatePublicChannelGroup'],
  private: ['canCreatePrivateChannelGroup'],
  webPublic: ['canCreatePublicChannelGroup', 'canCreateWebPublicChannelGroup'],
} as const;

export function canCreateChannel(state: AccountState, privacy: ChannelPrivacy, nowMs: number): Permission {
  const {realm, server} = state;
  const isWebPublic = privacy === 'webPublic';
  if (isWebPublic && (realm.enableSpectatorAccess !== true || server.serverWebPublicStreamsEnabled === false)) {
    return refused('Web-public channels are turned off in this organization.');
  }
  return allowedIf(
    creationPermissions[privacy].every((name) => hasRealmPermission(state, name, nowMs)),
    `You do not have permission to create ${isWebPublic ? 'web-public' : privacy} channels.`,
  );
}
