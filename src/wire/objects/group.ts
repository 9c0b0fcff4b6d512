import {type Infer, int, ints, nullableInt, object, s, timestamp} from '#wire/schema.ts';
import {groupSetting} from './group-setting.ts';

export const groupSettingNames = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const;
export type GroupSettingName = (typeof groupSettingNames)[number];

export const groupSettings = {
  can_add_members_group: groupSetting,
  can_join_group: groupSetting,
  can_leave_group: groupSetting,
  can_manage_group: groupSetting,
  can_mention_group: groupSetting,
  can_remove_members_group: groupSetting,
};

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
