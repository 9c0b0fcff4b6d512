import type {ActionContext, ReadContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {type OrganizationSettings, organizationSettings} from '#server/organization/organization-settings.ts';
import {type GroupSetting, groupIndex, isInSetting, type Person} from './group-index.ts';
import {Role} from './system-groups.ts';

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

export function organization(act: Pick<ActionContext, 'server'>): OrganizationSettings {
  const {derivedFacts, downgrade} = act.server;
  const settings = derivedFacts.get(organizationSettings);
  return downgrade?.organization(settings) ?? settings;
}

export const isOwner = (person: Person) => person.role <= Role.owner;
export const isAdmin = (person: Person) => person.role <= Role.admin;
export const isModerator = (person: Person) => person.role <= Role.moderator;
export const isGuest = (person: Person) => person.role >= Role.guest;

/** Returns whether the user is the only active owner of the organization. */
export function isOnlyOwner({db}: Pick<ActionContext, 'db'>, user: UserRow): boolean {
  if (!isOwner(user) || user.is_active === 0) return false;
  const others = 'SELECT 1 FROM user WHERE role = ? AND is_active = 1 AND is_bot = 0 AND id != ?';
  return db.get(others, Role.owner, user.id) === undefined;
}
