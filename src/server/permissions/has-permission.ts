import type {ActionContext, ReadContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {type OrganizationSettings, organizationSettings} from '#server/organization/organization-settings.ts';
import {type GroupSetting, groupIndex, isInSetting, type Person} from './group-index.ts';
import {Role} from './system-groups.ts';

/** Whether a person is in the group that a permission names. */
export function hasPermission(act: ReadContext, person: Person, setting: GroupSetting): boolean {
  const {derivedFacts: memory} = act.server;
  const days = memory.get(organizationSettings).waiting_period_threshold;
  return isInSetting(memory.get(groupIndex), person, setting, {now: act.now, days});
}

/** For permissions that guests never have, whatever group they are in. */
export function hasMemberPermission(act: ReadContext, person: Person, setting: GroupSetting): boolean {
  return !isGuest(person) && hasPermission(act, person, setting);
}

export function organization(act: Pick<ActionContext, 'server'>): OrganizationSettings {
  const {derivedFacts: memory, downgrade: past} = act.server;
  const settings = memory.get(organizationSettings);
  return past?.organization(settings) ?? settings;
}

export const isOwner = (person: Person) => person.role <= Role.owner;
export const isAdmin = (person: Person) => person.role <= Role.admin;
export const isModerator = (person: Person) => person.role <= Role.moderator;
export const isGuest = (person: Person) => person.role >= Role.guest;

/** Whether nobody else is an owner of the organization. */
export function isOnlyOwner({db}: Pick<ActionContext, 'db'>, user: UserRow): boolean {
  if (!isOwner(user) || user.is_active === 0) return false;
  const others = 'SELECT 1 FROM user WHERE role = ? AND is_active = 1 AND is_bot = 0 AND id != ?';
  return db.get(others, Role.owner, user.id) === undefined;
}
