import type {ActionContext, ReadContext, ServerAccess, ServerContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {IdSet, Ids, UserRow} from '#server/db/rows.ts';
import type {DerivedFact} from '#server/derived-facts-cache.ts';
import {ApiError, unauthorizedPrincipal} from '#server/errors.ts';
import {type OrganizationSettings, organizationSettings} from '#server/organization/organization-settings.ts';
import {Role, SystemGroup} from '#server/organization/permission-rules.ts';
import type {GroupSetting} from '#wire/objects/group.ts';

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
