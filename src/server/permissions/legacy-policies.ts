import {SystemGroup} from './system-groups.ts';

export type LegacyPolicyCodes = Readonly<Record<number, number>>;

export const commonCodes: LegacyPolicyCodes = {
  [SystemGroup.members]: 1,
  [SystemGroup.administrators]: 2,
  [SystemGroup.fullMembers]: 3,
  [SystemGroup.moderators]: 4,
  [SystemGroup.everyone]: 5,
  [SystemGroup.nobody]: 6,
  [SystemGroup.owners]: 7,
};

export const wildcardCodes: LegacyPolicyCodes = {
  [SystemGroup.everyone]: 1,
  [SystemGroup.members]: 2,
  [SystemGroup.fullMembers]: 3,
  [SystemGroup.administrators]: 5,
  [SystemGroup.nobody]: 6,
  [SystemGroup.moderators]: 7,
};

/**
 * Returns the number of the policy that a group setting replaced. An anonymous group has none; that of the
 * administrators is the strictest that some user meets.
 */
export function legacyPolicy(group: unknown, codes: LegacyPolicyCodes): number {
  return codes[Number(group)] ?? codes[SystemGroup.administrators] ?? 2;
}
