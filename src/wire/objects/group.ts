import {levels} from '#wire/levels.ts';
import {fieldsOf, type Infer, int, ints, nullableInt, object, s, timestamp} from '#wire/schema.ts';

const notInteger = '{at}["int"] is not an integer';

/** The users with a permission: one group, or an unnamed set of users and groups. */
export const groupSetting = s.union(
  [s.pipe(s.number(), s.safeInteger(notInteger)), object({direct_members: ints, direct_subgroups: ints})],
  notInteger,
);
export type GroupSetting = Infer<typeof groupSetting>;

/** A change of a group setting; `old`, if present, must equal the server's current value. */
export const groupSettingChange = {
  ...object({new: groupSetting}, {old: groupSetting}),
  message: '{at} does not have the expected format',
};
export type GroupSettingChange = Infer<typeof groupSettingChange>;

/** Compares two settings as sets, because the order of members is not defined. */
export function sameGroupSetting(a: GroupSetting, b: GroupSetting): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return sameMembers(a.direct_members, b.direct_members) && sameMembers(a.direct_subgroups, b.direct_subgroups);
}

function sameMembers(a: readonly number[], b: readonly number[]): boolean {
  const left = new Set(a);
  const right = new Set(b);
  return left.size === right.size && left.isSubsetOf(right);
}

/** What a person can do with a group: change all of it, add or remove others, or join or leave it. */
export type GroupAction = 'manage' | 'add' | 'remove' | 'join' | 'leave';

/** What decides about the rights of one person in one group. */
interface GroupRights {
  readonly isSystemGroup: boolean;
  readonly isGuest: boolean;
  /** Whether the person has the organization's permission to manage all groups. */
  readonly managesAllGroups: boolean;
  /** Returns whether the person has a permission of the group itself. */
  has(setting: GroupSettingName): boolean;
}

/** The permissions of the group of which one is enough. */
const sufficient: Readonly<Record<GroupAction, readonly GroupSettingName[]>> = {
  manage: ['can_manage_group'],
  add: ['can_manage_group', 'can_add_members_group'],
  remove: ['can_manage_group', 'can_remove_members_group'],
  join: ['can_manage_group', 'can_add_members_group', 'can_join_group'],
  leave: ['can_manage_group', 'can_remove_members_group', 'can_leave_group'],
};

/** Returns whether a person may do this with the group. Servers refuse all of it to guests, whatever permissions they have. */
export function isGroupActionAllowed(action: GroupAction, rights: GroupRights): boolean {
  if (rights.isSystemGroup || rights.isGuest) return false;
  return rights.managesAllGroups || sufficient[action].some((name) => rights.has(name));
}

/** The permissions of a group, with their feature levels. */
export const groupSettingLevels = {
  can_add_members_group: 305,
  can_join_group: 301,
  can_leave_group: 308,
  can_manage_group: 283,
  can_mention_group: levels.groupMention,
  can_remove_members_group: 324,
} as const;
export type GroupSettingName = keyof typeof groupSettingLevels;
export const groupSettingNames = Object.keys(groupSettingLevels) as readonly GroupSettingName[];
export const groupSettings = fieldsOf(groupSettingLevels, groupSetting);

export const group = object(
  {
    id: int,
    name: s.string(),
    description: s.string(),
    members: ints,
    is_system_group: s.boolean(),
  },
  {
    direct_subgroup_ids: ints,
    deactivated: s.boolean(),
    date_created: s.nullable(timestamp),
    creator_id: nullableInt,
    ...groupSettings,
  },
);
export type WireGroup = Infer<typeof group>;

/** Returns a group's name. Servers up to release 7 prefix the names of system groups with `@`. */
export function groupName({name, is_system_group: isSystem}: Pick<WireGroup, 'name' | 'is_system_group'>): string {
  return isSystem && name.startsWith('@role:') ? name.slice(1) : name;
}

/** The system groups, smallest last: each contains all members of the following ones. */
export const systemGroupNames = [
  'role:internet',
  'role:everyone',
  'role:members',
  'role:fullmembers',
  'role:moderators',
  'role:administrators',
  'role:owners',
  'role:nobody',
] as const;
export type SystemGroupName = (typeof systemGroupNames)[number];
