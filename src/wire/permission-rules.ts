import type {GroupSettingName} from './objects/group.ts';

/** What a person can do with a group: change all of it, add or remove others, or join or leave it. */
export type GroupAction = 'manage' | 'add' | 'remove' | 'join' | 'leave';

/** What decides about the rights of one person in one group. */
export interface GroupRights {
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
