import type {Channel} from '#state/model/channel.ts';
import type {Group} from '#state/model/group.ts';
import type {User} from '#state/model/user.ts';
import type {AccountState, Realm} from '#state/state.ts';
import type {Camel} from '#std/camel.ts';
import type {ChannelSettingName} from '#wire/objects/channel.ts';
import type {GroupSettingName, SystemGroupName} from '#wire/objects/group.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';
import type {RealmGroupSetting} from '#wire/objects/realm.ts';
import {roles} from '#wire/objects/user.ts';
import {commonPolicies, hasRole, isMember, type PolicyCodes} from './group-members.ts';

export type RealmPermissionName = Camel<RealmGroupSetting>;
export type ChannelPermissionName = Camel<ChannelSettingName>;
export type GroupPermissionName = Camel<GroupSettingName>;

/** Whether something is allowed; if not, with a sentence for the user. */
export type Permission = {readonly ok: true} | {readonly ok: false; readonly reason: string};

export const allowed: Permission = {ok: true};

export function refused(reason: string): Permission {
  return {ok: false, reason};
}

/** Returns why something is not allowed; undefined when it is. */
export function refusalReason(permission: Permission): string | undefined {
  return permission.ok ? undefined : permission.reason;
}

export function allowedIf(ok: boolean, reason: string): Permission {
  return ok ? allowed : refused(reason);
}

/** The permissions that guests may have; all others never apply to guests, whatever group they are in. */
const guestPermissions = new Set<string>([
  'canDeleteOwnMessageGroup',
  'canMentionManyUsersGroup',
  'canMoveMessagesBetweenTopicsGroup',
  'canResolveTopicsGroup',
  'canAccessAllUsersGroup',
  'directMessageInitiatorGroup',
  'directMessagePermissionGroup',
  'canCreateTopicGroup',
  'canMoveMessagesWithinChannelGroup',
  'canSendMessageGroup',
  'canLeaveGroup',
  'canMentionGroup',
]);

type PermissionScope = 'realm' | 'stream' | 'group';

/** The server's own list has priority over ours. */
function canGuestsHave({server}: AccountState, scope: PermissionScope, name: string): boolean {
  const wireName = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const rule = server.serverSupportedPermissionSettings?.[scope]?.[wireName];
  return rule?.allow_everyone_group ?? guestPermissions.has(name);
}

function hasPermission(
  state: AccountState,
  userId: number,
  setting: GroupSetting,
  nowMs: number,
  [scope, name]: readonly [PermissionScope, string],
): boolean {
  if (isGuest(state, userId) && !canGuestsHave(state, scope, name)) return false;
  return isMember(state, userId, setting, nowMs);
}

/** The policy that replaces a group setting on servers that do not have it yet. */
export interface LegacyPolicy {
  readonly policy?: {readonly code: number | undefined; readonly codes?: PolicyCodes};
  /** The role when the server reports no policy either. */
  readonly fallback: SystemGroupName;
}

export function hasRealmPermission(
  state: AccountState,
  userId: number,
  name: RealmPermissionName,
  nowMs: number,
  legacy: LegacyPolicy,
): boolean {
  const setting: Realm[RealmPermissionName] = state.realm[name];
  if (setting !== undefined) return hasPermission(state, userId, setting, nowMs, ['realm', name]);
  const {code, codes = commonPolicies} = legacy.policy ?? {};
  const role = code === undefined ? legacy.fallback : (codes[code] ?? 'role:administrators');
  const user = state.users.get(userId);
  return user !== undefined && hasRole(state, user, role, nowMs);
}

/** Returns undefined where the server does not have the setting yet. */
export function hasChannelPermission(
  state: AccountState,
  userId: number,
  channel: Channel,
  name: ChannelPermissionName,
  nowMs: number,
): boolean | undefined {
  const setting: Channel[ChannelPermissionName] = channel[name];
  return setting === undefined ? undefined : hasPermission(state, userId, setting, nowMs, ['stream', name]);
}

export function hasGroupPermission(
  state: AccountState,
  userId: number,
  group: Group,
  name: GroupPermissionName,
  nowMs: number,
): boolean | undefined {
  const setting: Group[GroupPermissionName] = group[name];
  return setting === undefined ? undefined : hasPermission(state, userId, setting, nowMs, ['group', name]);
}

export function selfUser(state: AccountState): User | undefined {
  return state.users.get(state.self.userId);
}

/** Returns a user's role; unknown users count as guests. */
export function roleOf(state: AccountState, userId: number): number {
  return state.users.get(userId)?.role ?? roles.guest;
}

export function isGuest(state: AccountState, userId = state.self.userId): boolean {
  return roleOf(state, userId) >= roles.guest;
}

export function isModerator(state: AccountState, userId = state.self.userId): boolean {
  return roleOf(state, userId) <= roles.moderator;
}

export function isAdministrator(state: AccountState, userId = state.self.userId): boolean {
  return roleOf(state, userId) <= roles.administrator;
}

export function isOwner(state: AccountState, userId = state.self.userId): boolean {
  return roleOf(state, userId) <= roles.owner;
}
