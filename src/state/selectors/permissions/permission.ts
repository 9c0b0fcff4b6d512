import type {Channel} from '#state/model/channel.ts';
import type {Group, User} from '#state/model/user.ts';
import {serverNow} from '#state/selectors/people/people.ts';
import type {Realm} from '#state/slices/realm.ts';
import type {AccountState} from '#state/state.ts';
import type {Camel} from '#std/camel.ts';
import {memoByObject} from '#std/memo.ts';
import type {ChannelSettingName} from '#wire/objects/channel.ts';
import type {GroupSetting, GroupSettingName, SystemGroupName} from '#wire/objects/group.ts';
import type {RealmGroupSetting} from '#wire/objects/realm.ts';
import {roles} from '#wire/objects/user.ts';

type Groups = AccountState['groups'];
type MembershipState = Pick<AccountState, 'users' | 'groups' | 'realm' | 'presences'>;

const daySeconds = 86_400;

/** Returns whether a user belongs to the group, or to the users and groups, that a permission names. */
export function isMember(state: MembershipState, userId: number, setting: GroupSetting, nowMs: number): boolean {
  if (typeof setting === 'number') return isInGroup(state, userId, setting, nowMs);
  return (
    setting.direct_members.includes(userId) ||
    setting.direct_subgroups.some((groupId) => isInGroup(state, userId, groupId, nowMs))
  );
}

function isInGroup(state: MembershipState, userId: number, groupId: number, nowMs: number): boolean {
  const {roles: names, lists} = closureOf(state.groups, groupId);
  if (lists.some((group) => group.members.has(userId))) return true;
  const user = state.users.get(userId);
  return user !== undefined && names.some((name) => hasRole(state, user, name, nowMs));
}

/** Returns the active users in a group and its subgroups, without system bots, which roles do not apply to. */
export function groupMemberIds(state: MembershipState, groupId: number, nowMs: number): readonly number[] {
  const {roles: names, lists} = closureOf(state.groups, groupId);
  const ids = new Set(lists.flatMap(({members}) => [...members]));
  // An organization may have very many users: only a role asks for all of them.
  if (names.length === 0) return [...ids].filter((id) => state.users.get(id)?.isActive === true).sort((a, b) => a - b);
  const isIn = (user: User) => ids.has(user.id) || names.some((name) => hasRole(state, user, name, nowMs));
  return [...state.users.values()].filter((user) => user.isActive && !user.isSystemBot && isIn(user)).map(({id}) => id);
}

/** Returns the ids of a group and of all groups in it, which the group must not become a subgroup of. */
export function nestedGroupIds({groups}: Pick<AccountState, 'groups'>, groupId: number): ReadonlySet<number> {
  const seen = new Set<number>();
  const pending = [groupId];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    pending.push(...(groups.get(id)?.subgroupIds ?? []));
  }
  return seen;
}

/** A group and its nested subgroups: system groups, whose members follow from roles, and groups with member lists. */
interface Closure {
  readonly roles: readonly SystemGroupName[];
  readonly lists: readonly Group[];
}

const closures = memoByObject((_groups: Groups) => new Map<number, Closure>());

function closureOf(groups: Groups, groupId: number): Closure {
  const byId = closures(groups);
  let closure = byId.get(groupId);
  if (closure === undefined) {
    closure = computeClosure(groups, groupId);
    byId.set(groupId, closure);
  }
  return closure;
}

function computeClosure(groups: Groups, groupId: number): Closure {
  const names: SystemGroupName[] = [];
  const lists: Group[] = [];
  const seen = new Set<number>();
  const pending = [groupId];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const group = seen.has(id) ? undefined : groups.get(id);
    seen.add(id);
    if (group === undefined) continue;
    const role = group.isSystemGroup ? systemName(group.name) : undefined;
    if (role === undefined) {
      lists.push(group);
      pending.push(...group.subgroupIds);
    } else {
      names.push(role);
    }
  }
  return {roles: names, lists};
}

const systemNames: Readonly<Record<SystemGroupName, true>> = {
  'role:internet': true,
  'role:everyone': true,
  'role:members': true,
  'role:fullmembers': true,
  'role:moderators': true,
  'role:administrators': true,
  'role:owners': true,
  'role:nobody': true,
};

function systemName(name: string): SystemGroupName | undefined {
  // The table has exactly the names of the type.
  return Object.hasOwn(systemNames, name) ? (name as SystemGroupName) : undefined;
}

/**
 * Returns whether a user belongs to a system group. It follows from the role, even where a server lists only
 * some members.
 */
export function hasRole(
  state: Pick<AccountState, 'realm' | 'presences'>,
  user: User,
  name: SystemGroupName,
  nowMs: number,
): boolean {
  switch (name) {
    case 'role:internet':
    case 'role:everyone':
      return true;
    case 'role:members':
      return user.role <= roles.member;
    case 'role:fullmembers':
      return isFullMember(state, user, nowMs);
    case 'role:moderators':
      return user.role <= roles.moderator;
    case 'role:administrators':
      return user.role <= roles.administrator;
    case 'role:owners':
      return user.role <= roles.owner;
    default:
      return false;
  }
}

function isFullMember(
  state: Pick<AccountState, 'realm' | 'presences'>,
  {role, dateJoined}: User,
  nowMs: number,
): boolean {
  if (role !== roles.member) return role < roles.member;
  const days = state.realm.waitingPeriodThreshold ?? 0;
  const joined = dateJoined === undefined ? Number.NaN : Date.parse(dateJoined) / 1000;
  // A user without a known join date counts as a full member.
  return days === 0 || Number.isNaN(joined) || serverNow(state, nowMs) - joined >= days * daySeconds;
}

/** The numeric codes of permissions from before they were groups. */
type PolicyCodes = Readonly<Record<number, SystemGroupName>>;

const commonPolicies: PolicyCodes = {
  1: 'role:members',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
  5: 'role:everyone',
  6: 'role:nobody',
  7: 'role:owners',
};
const wildcardPolicies: PolicyCodes = {
  1: 'role:everyone',
  2: 'role:members',
  3: 'role:fullmembers',
  4: 'role:administrators',
  5: 'role:administrators',
  6: 'role:nobody',
  7: 'role:moderators',
};
export const postPolicies: PolicyCodes = {
  1: 'role:everyone',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
};

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

/** Returns why nothing can be said of the user's rights yet; undefined once the account is known. */
export function unknownAccountReason({self, connection}: AccountState): string | undefined {
  if (self.userId !== 0) return undefined;
  return connection.phase === 'starting' ? 'Still connecting' : 'Not connected yet';
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
function roleOf(state: AccountState, userId: number): number {
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
