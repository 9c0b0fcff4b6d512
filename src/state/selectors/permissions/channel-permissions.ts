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

export const unknownChannel = 'There is no such channel, or you may not see it.';

export function isSubscribed(state: AccountState, channelId: number): boolean {
  return state.subscriptions.get(channelId)?.isSubscribed === true;
}

/** Whether one may read what is written there. Being an administrator is not enough for a private channel. */
export function canReadChannel(state: AccountState, channel: Channel, nowMs: number): boolean {
  if (channel.isWebPublic === true || isSubscribed(state, channel.id)) return true;
  if (isGuest(state)) return false;
  if (!channel.isPrivate) return true;
  const {userId} = state.self;
  return (
    hasChannelPermission(state, userId, channel, 'canAddSubscribersGroup', nowMs) === true ||
    hasChannelPermission(state, userId, channel, 'canSubscribeGroup', nowMs) === true
  );
}

/** May change the channel's settings. */
export function canAdministerChannel(state: AccountState, channelId: number, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(unknownChannel);
  return allowedIf(
    isChannelAdministrator(state, channel, nowMs),
    `Only administrators of #${channel.name} may change its settings.`,
  );
}

/** Whoever knows of a channel sees it, so its being known is enough. */
export function isChannelAdministrator(state: AccountState, channel: Channel, nowMs: number): boolean {
  if (isAdministrator(state)) return true;
  return (
    !isGuest(state) &&
    hasChannelPermission(state, state.self.userId, channel, 'canAdministerChannelGroup', nowMs) === true
  );
}

/** May join without anybody's help. */
export function canSubscribe(state: AccountState, channelId: number, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(unknownChannel);
  if (channel.isArchived === true) return refused(`#${channel.name} is archived: nobody can join it.`);
  if (isSubscribed(state, channelId)) return allowed;
  return allowedIf(
    canReadChannel(state, channel, nowMs),
    `You cannot join #${channel.name} yourself: somebody who may add subscribers has to add you.`,
  );
}

/** May add other people. */
export function canAddSubscribers(state: AccountState, channelId: number, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(unknownChannel);
  if (channel.isArchived === true) return refused(`#${channel.name} is archived: nobody can join it.`);
  const no = refused(`You do not have permission to add people to #${channel.name}.`);
  if (isGuest(state) || !canReadChannel(state, channel, nowMs)) return no;
  const {userId} = state.self;
  const older = {
    policy: {code: state.realm.inviteToStreamPolicy},
    fallback: 'role:members',
  } as const;
  const may =
    hasRealmPermission(state, userId, 'canAddSubscribersGroup', nowMs, older) ||
    hasChannelPermission(state, userId, channel, 'canAddSubscribersGroup', nowMs) === true;
  return may ? allowed : no;
}

/** May take other people out; oneself and one's own bots everybody may. */
export function canRemoveSubscribers(
  state: AccountState,
  channelId: number,
  nowMs: number,
  userId?: number,
): Permission {
  const {userId: own} = state.self;
  if (userId === own) return allowed;
  if (userId !== undefined && state.users.get(userId)?.botOwnerId === own) return allowed;
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(unknownChannel);
  const may =
    isAdministrator(state) ||
    hasChannelPermission(state, own, channel, 'canRemoveSubscribersGroup', nowMs) === true;
  return allowedIf(may, `You do not have permission to remove people from #${channel.name}.`);
}

export type ChannelPrivacy = 'public' | 'private' | 'webPublic';

export function canCreateChannel(state: AccountState, privacy: ChannelPrivacy, nowMs: number): Permission {
  const {realm, server, self} = state;
  if (privacy === 'webPublic') {
    const isOff = realm.enableSpectatorAccess !== true || server.serverWebPublicStreamsEnabled === false;
    if (isOff) return refused('Web-public channels are turned off in this organization.');
    const older = {
      policy: {code: realm.createWebPublicStreamPolicy},
      fallback: 'role:owners',
    } as const;
    const may = hasRealmPermission(state, self.userId, 'canCreateWebPublicChannelGroup', nowMs, older);
    return allowedIf(may, 'You do not have permission to create web-public channels.');
  }
  const isPrivate = privacy === 'private';
  const code = isPrivate ? realm.createPrivateStreamPolicy : realm.createPublicStreamPolicy;
  const name = isPrivate ? 'canCreatePrivateChannelGroup' : 'canCreatePublicChannelGroup';
  const may = hasRealmPermission(state, self.userId, name, nowMs, {policy: {code}, fallback: 'role:members'});
  return allowedIf(may, `You do not have permission to create ${privacy} channels.`);
}
