/** The groups every organization has. They are made first, in this order, so their ids are constants. */
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
  readonly displayName: string;
  readonly description: string;
  /** The next smaller group, which this one contains. */
  readonly contains: number | undefined;
}

export const systemGroups: readonly SystemGroupInfo[] = [
  group(SystemGroup.internet, 'role:internet', 'Everyone on the internet', SystemGroup.everyone),
  group(SystemGroup.everyone, 'role:everyone', 'Everyone', SystemGroup.members),
  group(SystemGroup.members, 'role:members', 'Members', SystemGroup.fullMembers),
  group(SystemGroup.fullMembers, 'role:fullmembers', 'Full members', SystemGroup.moderators),
  group(SystemGroup.moderators, 'role:moderators', 'Moderators', SystemGroup.administrators),
  group(SystemGroup.administrators, 'role:administrators', 'Administrators', SystemGroup.owners),
  group(SystemGroup.owners, 'role:owners', 'Owners', undefined),
  group(SystemGroup.nobody, 'role:nobody', 'Nobody', undefined),
];

function group(id: number, name: string, displayName: string, contains: number | undefined): SystemGroupInfo {
  return {id, name, displayName, description: `${displayName} of this organization`, contains};
}
