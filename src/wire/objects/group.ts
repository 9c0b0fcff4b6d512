import {levels} from '#wire/levels.ts';
import {fieldsOf, type Infer, int, ints, nullableInt, object, s, timestamp} from '#wire/schema.ts';
import {groupSetting} from './group-setting.ts';

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
