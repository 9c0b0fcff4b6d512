import type {AccountState} from '#state/state.ts';
import {realmDefaults} from '#wire/objects/realm.ts';

export type Availability = 'active' | 'idle' | 'offline';

export interface PresenceStatus {
  readonly status: Availability;
  /** UNIX seconds by the server's clock; undefined when never seen, or when presence is disabled. */
  readonly lastActiveAt: number | undefined;
}

export interface StatusMessage {
  readonly text: string;
  readonly emojiName: string | undefined;
  readonly emojiCode: string | undefined;
  readonly reactionType: string | undefined;
  /** The user set themselves to away (servers below level 148). */
  readonly isAway: boolean;
}

const {server_presence_offline_threshold_seconds: offlineAfterSeconds} = realmDefaults;

const unseen: PresenceStatus = {status: 'offline', lastActiveAt: undefined};

/** Returns a user's presence. Bots have none, nor has anyone where the organization disabled presence. */
export function presenceStatus(
  state: Pick<AccountState, 'presences' | 'realm' | 'users' | 'server'>,
  userId: number,
  clockMs: number,
): PresenceStatus {
  const seen = state.presences.byUser.get(userId);
  if (seen === undefined || state.realm.presenceDisabled === true) return unseen;
  const user = state.users.get(userId);
  if (user?.isBot === true || user?.isActive === false) return unseen;
  const {activeAt, idleAt} = seen;
  const lastActiveAt = activeAt ?? idleAt;
  const {serverPresenceOfflineThresholdSeconds: threshold = offlineAfterSeconds} = state.server;
  const since = serverNow(state, clockMs) - threshold;
  if (activeAt !== undefined && activeAt > since) return {status: 'active', lastActiveAt};
  if (idleAt !== undefined && idleAt > since) return {status: 'idle', lastActiveAt};
  return {status: 'offline', lastActiveAt};
}

export function statusMessage(state: AccountState, userId: number): StatusMessage | undefined {
  const status = state.statuses.get(userId);
  if (status === undefined) return undefined;
  const text = status.statusText ?? '';
  const emojiName = status.emojiName === '' ? undefined : status.emojiName;
  const isAway = status.away === true;
  if (text === '' && emojiName === undefined && !isAway) return undefined;
  return {
    text,
    emojiName,
    emojiCode: emojiName === undefined ? undefined : status.emojiCode,
    reactionType: emojiName === undefined ? undefined : status.reactionType,
    isAway,
  };
}

/** Returns the server's time in UNIX seconds, by which edit and delete limits and presence are measured. */
export function serverNow(state: Pick<AccountState, 'presences'>, clockMs: number): number {
  return clockMs / 1000 + state.presences.serverOffset;
}
