import type {ActionContext, ReadContext, ServerAccess, ServerContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {findGroup, type GroupRow, unknownUserIds} from '#server/db/groups.ts';
import type {IdSet, Ids, UserRow} from '#server/db/rows.ts';
import type {DerivedFact} from '#server/derived-facts-cache.ts';
import {ApiError, check, required, unauthorizedPrincipal} from '#server/errors.ts';
import {type OrganizationSettings, organizationSettings} from '#server/organization/organization-settings.ts';
import {
  groupPermissionDefaults,
  type PermissionRule,
  Role,
  SystemGroup,
} from '#server/organization/permission-rules.ts';
import {
  type GroupAction,
  type GroupSetting,
  type GroupSettingChange,
  type GroupSettingName,
  isGroupActionAllowed,
  sameGroupSetting,
} from '#wire/objects/group.ts';

/** Returns whether the user is in the group that a permission is granted to. */
export function hasPermission(act: ReadContext, person: Person, setting: GroupSetting): boolean {
  const {derivedFacts} = act.server;
  const days = derivedFacts.get(organizationSettings).waiting_period_threshold;
  return isInSetting(derivedFacts.get(groupIndex), person, setting, {now: act.now, days});
}

/** Same as `hasPermission`, for permissions that guests never have, even as members of the group. */
export function hasMemberPermission(act: ReadContext, person: Person, setting: GroupSetting): boolean {
  return !isGuest(person) && hasPermission(act, person, setting);
}

export function organization(act: ServerAccess): OrganizationSettings {
  const {derivedFacts, downgrade} = act.server;
  const settings = derivedFacts.get(organizationSettings);
  return downgrade?.organization(settings) ?? settings;
}

export const isOwner = (person: Person) => person.role <= Role.owner;
export const isAdmin = (person: Person) => person.role <= Role.admin;
export const isModerator = (person: Person) => person.role <= Role.moderator;
export const isGuest = (person: Person) => person.role >= Role.guest;

export function requireOwner(person: Person): void {
  if (!isOwner(person)) throw unauthorizedPrincipal('Must be an organization owner');
}

export function requireAdministrator(person: Person): void {
  if (!isAdmin(person)) throw unauthorizedPrincipal('Must be an organization administrator');
}

/** Returns whether the user is the only active owner of the organization. */
export function isOnlyOwner({db}: Pick<ActionContext, 'db'>, user: UserRow): boolean {
  if (!isOwner(user) || user.is_active === 0) return false;
  const others = 'SELECT 1 FROM user WHERE role = ? AND is_active = 1 AND is_bot = 0 AND id != ?';
  return db.get(others, Role.owner, user.id) === undefined;
}

interface GroupIndex {
  readonly members: ReadonlyMap<number, IdSet>;
  readonly subgroups: ReadonlyMap<number, Ids>;
}

/** The fields of a user that decide about group membership. */
export interface Person {
  readonly id: number;
  readonly role: number;
  readonly joined_at: number;
}

interface WaitingPeriod {
  readonly now: number;
  /** Days until a new member counts as a full member. */
  readonly days: number;
}

/** The members and subgroups of all custom groups. Membership of system groups follows from the role instead. */
export const groupIndex: DerivedFact<GroupIndex> = {
  name: 'groups',
  derive(db: Database) {
    const members = new Map<number, Set<number>>();
    for (const row of db.all<{group_id: number; user_id: number}>('SELECT group_id, user_id FROM group_member')) {
      const set = members.get(row.group_id) ?? new Set();
      set.add(row.user_id);
      members.set(row.group_id, set);
    }
    const subgroups = new Map<number, number[]>();
    const nested = 'SELECT group_id, subgroup_id FROM group_subgroup';
    for (const row of db.all<{group_id: number; subgroup_id: number}>(nested)) {
      const list = subgroups.get(row.group_id) ?? [];
      list.push(row.subgroup_id);
      subgroups.set(row.group_id, list);
    }
    return {members, subgroups};
  },
};

function isInSetting(index: GroupIndex, person: Person, setting: GroupSetting, waiting: WaitingPeriod): boolean {
  if (typeof setting === 'number') return isInGroup(index, person, setting, waiting);
  return (
    setting.direct_members.includes(person.id) ||
    setting.direct_subgroups.some((group) => isInGroup(index, person, group, waiting))
  );
}

export function isInGroup(
  index: GroupIndex,
  person: Person,
  group: number,
  waiting: WaitingPeriod,
  seen: IdSet = new Set(),
): boolean {
  if (group <= SystemGroup.nobody) return isInSystemGroup(person, group, waiting);
  if (seen.has(group)) return false;
  if (index.members.get(group)?.has(person.id) === true) return true;
  const nested = index.subgroups.get(group);
  if (nested === undefined) return false;
  const path = new Set(seen).add(group);
  return nested.some((subgroup) => isInGroup(index, person, subgroup, waiting, path));
}

function isInSystemGroup(person: Person, group: number, {now, days}: WaitingPeriod): boolean {
  switch (group) {
    case SystemGroup.internet:
    case SystemGroup.everyone:
      return true;
    case SystemGroup.members:
      return person.role <= Role.member;
    case SystemGroup.fullMembers:
      return person.role < Role.member || (person.role === Role.member && now - person.joined_at >= days * 86_400);
    case SystemGroup.moderators:
      return person.role <= Role.moderator;
    case SystemGroup.administrators:
      return person.role <= Role.admin;
    case SystemGroup.owners:
      return person.role <= Role.owner;
    default:
      return false;
  }
}

type GroupPermissions = Record<GroupSettingName, GroupSetting>;

export function groupPermissions(group: Pick<GroupRow, 'is_system' | 'permissions'>): GroupPermissions {
  if (group.is_system === 1) return systemGroupPermissions;
  return {...groupPermissionDefaults, ...JSON.parse(group.permissions)};
}

/** Nobody manages system groups, or mentions all of their members. */
const systemGroupPermissions: GroupPermissions = {
  ...groupPermissionDefaults,
  can_leave_group: SystemGroup.nobody,
  can_mention_group: SystemGroup.nobody,
};

export function canCreateGroups(act: ReadContext, user: UserRow): boolean {
  return !isGuest(user) && hasPermission(act, user, organization(act).can_create_groups);
}

export function canChangeGroup(act: ReadContext, user: UserRow, group: GroupRow, action: GroupAction): boolean {
  return isGroupActionAllowed(action, {
    isSystemGroup: group.is_system === 1,
    isGuest: isGuest(user),
    managesAllGroups: hasPermission(act, user, organization(act).can_manage_all_groups),
    has: (name) => hasPermission(act, user, groupPermissions(group)[name]),
  });
}

/** Returns the group or throws. All users may see all groups. */
export function requireGroup(act: Pick<ActionContext, 'db'>, id: number): GroupRow {
  return required(findGroup(act.db, id), 'Invalid user group');
}

/**
 * Returns the value in canonical form, after checking that all users and groups in it exist and that the rule allows
 * them this permission.
 */
export function checkedGroupSetting(
  act: ServerAccess,
  name: string,
  value: GroupSetting,
  rule: PermissionRule,
): GroupSetting {
  const setting = canonicalGroupSetting(value);
  if (typeof setting === 'number') {
    checkGroup(requireActiveGroup(act, setting), name, rule);
    return setting;
  }
  if (rule.require_system_group) {
    throw new ApiError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, 400, {
      setting_name: name,
    });
  }
  const [unknown] = unknownUserIds(act.server.db, setting.direct_members);
  check(unknown === undefined, `Invalid user ID: ${unknown}`);
  activeGroupIds(act, setting.direct_subgroups);
  return setting;
}

/** Same as `checkedGroupSetting`, for a change that may name the old value that it expects to replace. */
export function changedGroupSetting(
  act: ServerAccess,
  name: string,
  change: GroupSettingChange,
  current: GroupSetting,
  rule: PermissionRule,
): GroupSetting {
  return changesGroupSetting(change, current) ? checkedGroupSetting(act, name, change.new, rule) : current;
}

/** Returns whether the new value differs from the current one; throws if the current one is not the expected one. */
export function changesGroupSetting(change: GroupSettingChange, current: GroupSetting): boolean {
  const isCurrent = (value: GroupSetting) =>
    sameGroupSetting(canonicalGroupSetting(value), canonicalGroupSetting(current));
  if (change.old !== undefined && !isCurrent(change.old)) {
    throw new ApiError('EXPECTATION_MISMATCH', "'old' value does not match the expected value.", 400, {
      field_name: 'old',
    });
  }
  return !isCurrent(change.new);
}

/**
 * Returns the canonical form: a set of one group becomes that group, an empty set becomes nobody; ids ascend without
 * duplicates.
 */
export function canonicalGroupSetting(value: GroupSetting): GroupSetting {
  if (typeof value === 'number') return value;
  const members = ascending(value.direct_members);
  const subgroups = ascending(value.direct_subgroups);
  if (members.length === 0 && subgroups.length === 0) return SystemGroup.nobody;
  const [only] = subgroups;
  if (members.length === 0 && subgroups.length === 1 && only !== undefined) return only;
  return {direct_members: members, direct_subgroups: subgroups};
}

/** Returns whether a setting contains the group, alone or in a set. */
export function settingIncludesGroup(setting: unknown, groupId: number): boolean {
  if (typeof setting === 'number') return setting === groupId;
  if (typeof setting !== 'object' || setting === null || !('direct_subgroups' in setting)) return false;
  return Array.isArray(setting.direct_subgroups) && setting.direct_subgroups.includes(groupId);
}

function ascending(ids: Ids): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** Returns the ids without duplicates; throws unless all groups exist, and then unless all are active. */
export function activeGroupIds(act: ServerAccess, groupIds: Ids): number[] {
  const ids = ascending(groupIds);
  const unknown = groupIds.find((id) => findGroup(act.server.db, id) === undefined);
  check(unknown === undefined, `Invalid user group ID: ${unknown}`);
  for (const id of ids) requireActiveGroup(act, id);
  return ids;
}

export function requireActiveGroup(act: ServerAccess, id: number): GroupRow {
  const group = required(findGroup(act.server.db, id), 'Invalid user group');
  check(group.deactivated !== 1, 'User group is deactivated.');
  return group;
}

function checkGroup(group: GroupRow, name: string, rule: PermissionRule): void {
  if (rule.require_system_group && group.is_system === 0) {
    throw new ApiError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, 400, {
      setting_name: name,
    });
  }
  const allowed = rule.allowed_system_groups;
  const refused =
    (group.id === SystemGroup.internet && !rule.allow_internet_group) ||
    (group.id === SystemGroup.nobody && !rule.allow_nobody_group) ||
    (group.id === SystemGroup.everyone && !rule.allow_everyone_group) ||
    (group.is_system === 1 && allowed.length > 0 && !allowed.includes(group.name));
  check(!refused, `'${name}' setting cannot be set to '${group.name}' group.`);
}

/** Stores one organization setting. The caller emits the event. */
export function storeOrganizationSetting<K extends keyof OrganizationSettings>(
  act: ActionContext,
  name: K,
  value: OrganizationSettings[K],
): void {
  act.db.replaceRow('realm_setting', {name, value: JSON.stringify(value)});
  act.server.derivedFacts.invalidate(organizationSettings);
}

export function topicDisplayName(act: ServerAccess, topic: string, emptyTopicName: boolean): string {
  return topic === '' && !emptyTopicName ? organization(act).empty_topic_display_name : topic;
}

/** Throws if an owner deactivated the organization. */
export function requireActiveOrganization(server: ServerContext): void {
  if (organization({server}).is_deactivated) {
    throw new ApiError('REALM_DEACTIVATED', 'This organization has been deactivated', 401);
  }
}
