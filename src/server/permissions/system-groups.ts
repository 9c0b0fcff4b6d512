import {groupTitle} from '#content/group-title.ts';
import type {SystemGroupName} from '#wire/objects/group.ts';

/**
 * The ids of the groups that every organization has. They are created first, in this order, so the ids are constant.
 */
export const SystemGroup = {
  internet: 1,
  everyone: 2,
  members: 3,
  fullMembers: 4,
  moderators: 5,
  administrators: 6,
  owners: 7,
  nobody: 8,
} as const;

export const Role = {owner: 100, admin: 200, moderator: 300, member: 400, guest: 600} as const;

export interface SystemGroupInfo {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The next smaller group, which this one contains. */
  readonly contains: number | undefined;
}

export const systemGroups: readonly SystemGroupInfo[] = [
  group(SystemGroup.internet, 'role:internet', SystemGroup.everyone),
  group(SystemGroup.everyone, 'role:everyone', SystemGroup.members),
  group(SystemGroup.members, 'role:members', SystemGroup.fullMembers),
  group(SystemGroup.fullMembers, 'role:fullmembers', SystemGroup.moderators),
  group(SystemGroup.moderators, 'role:moderators', SystemGroup.administrators),
  group(SystemGroup.administrators, 'role:administrators', SystemGroup.owners),
  group(SystemGroup.owners, 'role:owners', undefined),
  group(SystemGroup.nobody, 'role:nobody', undefined),
];

function group(id: number, name: SystemGroupName, contains: number | undefined): SystemGroupInfo {
  return {id, name, description: `${groupTitle(name)} of this organization`, contains};
}
