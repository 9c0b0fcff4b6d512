import {type Infer, ints, object, s} from '#wire/schema.ts';

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
