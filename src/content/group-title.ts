import type {SystemGroupName} from '#wire/objects/group.ts';

/** Display names of the system groups, whose own names are identifiers. */
const titles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'role:internet': 'Everyone on the internet',
    'role:everyone': 'Everyone',
    'role:members': 'Members',
    'role:fullmembers': 'Full members',
    'role:moderators': 'Moderators',
    'role:administrators': 'Administrators',
    'role:owners': 'Owners',
    'role:nobody': 'Nobody',
  } satisfies Record<SystemGroupName, string>),
);

/** Returns the display name of a group. */
export function groupTitle(name: string): string {
  return titles.get(name) ?? name;
}
