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
import {commonPolicies, hasRole, isMember, type PolicyCodes, wildcardPolicies} from './group-members.ts';

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
interface LegacyPolicy {
  readonly policy?: keyof Realm;
  readonly codes?: PolicyCodes;
  /** The role when the server reports no policy either. */
  readonly fallback: SystemGroupName;
}

/** Older servers have two policies for direct messages. */
const directPolicies: PolicyCodes = {1: 'role:everyone', 2: 'role:nobody'};
const botPolicies: PolicyCodes = {1: 'role:members', 2: 'role:administrators', 3: 'role:administrators'};

const legacyPolicies: Readonly<Record<RealmPermissionName, LegacyPolicy>> = {
  canAccessAllUsersGroup: {fallback: 'role:everyone'},
  canAddCustomEmojiGroup: {policy: 'addCustomEmojiPolicy', fallback: 'role:members'},
  canAddSubscribersGroup: {policy: 'inviteToStreamPolicy', fallback: 'role:members'},
  canCreateBotsGroup: {policy: 'botCreationPolicy', codes: botPolicies, fallback: 'role:members'},
  canCreateGroups: {policy: 'userGroupEditPolicy', fallback: 'role:members'},
  canCreatePrivateChannelGroup: {policy: 'createPrivateStreamPolicy', fallback: 'role:members'},
  canCreatePublicChannelGroup: {policy: 'createPublicStreamPolicy', fallback: 'role:members'},
  canCreateWebPublicChannelGroup: {policy: 'createWebPublicStreamPolicy', fallback: 'role:owners'},
  canCreateWriteOnlyBotsGroup: {
    policy: 'botCreationPolicy',
    codes: {...botPolicies, 2: 'role:members'},
    fallback: 'role:members',
  },
  canDeleteAnyMessageGroup: {fallback: 'role:administrators'},
  canDeleteOwnMessageGroup: {policy: 'deleteOwnMessagePolicy', fallback: 'role:everyone'},
  canInviteUsersGroup: {policy: 'inviteToRealmPolicy', fallback: 'role:members'},
  canManageAllGroups: {policy: 'userGroupEditPolicy', fallback: 'role:members'},
  canMentionManyUsersGroup: {
    policy: 'wildcardMentionPolicy',
    codes: wildcardPolicies,
    fallback: 'role:administrators',
  },
  canMoveMessagesBetweenChannelsGroup: {
    policy: 'moveMessagesBetweenStreamsPolicy',
    fallback: 'role:administrators',
  },
  canMoveMessagesBetweenTopicsGroup: {policy: 'editTopicPolicy', fallback: 'role:everyone'},
  // Servers without a permission for resolving use the one for renaming topics.
  canResolveTopicsGroup: {policy: 'editTopicPolicy', fallback: 'role:everyone'},
  canSetDeleteMessagePolicyGroup: {fallback: 'role:members'},
  canSetTopicsPolicyGroup: {fallback: 'role:members'},
  createMultiuseInviteGroup: {fallback: 'role:administrators'},
  directMessageInitiatorGroup: {fallback: 'role:everyone'},
  directMessagePermissionGroup: {policy: 'privateMessagePolicy', codes: directPolicies, fallback: 'role:everyone'},
};

export function hasRealmPermission(
  state: AccountState,
  name: RealmPermissionName,
  nowMs: number,
  userId = state.self.userId,
): boolean {
  const setting: Realm[RealmPermissionName] = state.realm[name];
  if (setting !== undefined) return hasPermission(state, userId, setting, nowMs, ['realm', name]);
  const {policy, codes = commonPolicies, fallback} = legacyPolicies[name];
  const code = policy === undefined ? undefined : state.realm[policy];
  const role = typeof code === 'number' ? (codes[code] ?? 'role:administrators') : fallback;
  const user = state.users.get(userId);
  return user !== undefined && hasRole(state, user, role, nowMs);
}

/** Returns undefined where the server does not have the setting yet. */
export function hasChannelPermission(
  state: AccountState,
  channel: Channel | undefined,
  name: ChannelPermissionName,
  nowMs: number,
  userId = state.self.userId,
): boolean | undefined {
  const setting: Channel[ChannelPermissionName] | undefined = channel?.[name];
  return setting === undefined ? undefined : hasPermission(state, userId, setting, nowMs, ['stream', name]);
}

export function hasGroupPermission(
  state: AccountState,
  group: Group,
  name: GroupPermissionName,
  nowMs: number,
): boolean | undefined {
  const setting: Group[GroupPermissionName] = group[name];
  return setting === undefined ? undefined : hasPermission(state, state.self.userId, setting, nowMs, ['group', name]);
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
