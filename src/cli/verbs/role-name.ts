import {roles} from '#wire/objects/user.ts';

const names = new Map<number, string>(Object.entries(roles).map(([name, role]) => [role, name]));

export function roleName(role: number | undefined): string {
  return names.get(role ?? roles.member) ?? 'member';
}
