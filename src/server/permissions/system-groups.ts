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
  {
    id: SystemGroup.internet,
    name: 'role:internet',
    description: 'Everyone on the Internet',
    contains: SystemGroup.everyone,
  },
  {
    id: SystemGroup.everyone,
    name: 'role:everyone',
    description: 'Everyone in this organization, including guests',
    contains: SystemGroup.members,
  },
  {
    id: SystemGroup.members,
    name: 'role:members',
    description: 'Members of this organization, not including guests',
    contains: SystemGroup.fullMembers,
  },
  {
    id: SystemGroup.fullMembers,
    name: 'role:fullmembers',
    description: 'Members of this organization, not including new accounts and guests',
    contains: SystemGroup.moderators,
  },
  {
    id: SystemGroup.moderators,
    name: 'role:moderators',
    description: 'Moderators of this organization, including administrators',
    contains: SystemGroup.administrators,
  },
  {
    id: SystemGroup.administrators,
    name: 'role:administrators',
    description: 'Administrators of this organization, including owners',
    contains: SystemGroup.owners,
  },
  {id: SystemGroup.owners, name: 'role:owners', description: 'Owners of this organization', contains: undefined},
  {id: SystemGroup.nobody, name: 'role:nobody', description: 'Nobody', contains: undefined},
];
