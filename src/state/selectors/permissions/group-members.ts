import type {Group} from '#state/model/group.ts';
import type {User} from '#state/model/user.ts';
import {serverNow} from '#state/selectors/people/presence-status.ts';
import type {AccountState} from '#state/state.ts';
import type {SystemGroupName} from '#wire/objects/group.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';
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

const closures = new WeakMap<Groups, Map<number, Closure>>();

function closureOf(groups: Groups, groupId: number): Closure {
  let byId = closures.get(groups);
  if (byId === undefined) {
    byId = new Map();
    closures.set(groups, byId);
  }
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
export type PolicyCodes = Readonly<Record<number, SystemGroupName>>;

export const commonPolicies: PolicyCodes = {
  1: 'role:members',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
  5: 'role:everyone',
  6: 'role:nobody',
  7: 'role:owners',
};
export const wildcardPolicies: PolicyCodes = {
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
