import type {Act} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {type OrganizationSettings, organizationSettings} from '#server/organization/organization-settings.ts';
import {type GroupSetting, groupIndex, isInSetting, type Person} from './group-index.ts';
import {Role} from './system-groups.ts';

/** Whether a person is in the group that a permission names. */
export function holds(act: Pick<Act, 'world' | 'now'>, person: Person, setting: GroupSetting): boolean {
  const {memory} = act.world;
  const days = memory.recall(organizationSettings).waiting_period_threshold;
  return isInSetting(memory.recall(groupIndex), person, setting, {now: act.now, days});
}

/** For permissions that guests never have, whatever group they are in. */
export function holdsAsMember(
  act: Pick<Act, 'world' | 'now'>,
  person: Person,
  setting: GroupSetting,
): boolean {
  return !isGuest(person) && holds(act, person, setting);
}

export function organization(act: Pick<Act, 'world'>): OrganizationSettings {
  const {memory, past} = act.world;
  const settings = memory.recall(organizationSettings);
  return past?.organization(settings) ?? settings;
}

export const isOwner = (person: Person) => person.role <= Role.owner;
export const isAdmin = (person: Person) => person.role <= Role.admin;
export const isModerator = (person: Person) => person.role <= Role.moderator;
export const isGuest = (person: Person) => person.role >= Role.guest;

/** Whether nobody else is an owner of the organization. */
export function isOnlyOwner({db}: Pick<Act, 'db'>, user: UserRow): boolean {
  if (!isOwner(user) || user.is_active === 0) return false;
  const others = 'SELECT 1 FROM user WHERE role = ? AND is_active = 1 AND is_bot = 0 AND id != ?';
  return db.get(others, Role.owner, user.id) === undefined;
}
