import {type Infer, int, ints, object, s} from '#wire/schema.ts';

/** Who may do something: one group, or an unnamed set of people and groups. */
export const groupSetting = s.union([int, object({direct_members: ints, direct_subgroups: ints})]);
export type GroupSetting = Infer<typeof groupSetting>;

/** How a group setting is changed; `old`, when given, must match what the server holds. */
export const groupSettingChange = object({new: groupSetting}, {old: groupSetting});
export type GroupSettingChange = Infer<typeof groupSettingChange>;

/** Equal as sets: servers do not promise an order. */
export function sameGroupSetting(a: GroupSetting, b: GroupSetting): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return (
    sameMembers(a.direct_members, b.direct_members) && sameMembers(a.direct_subgroups, b.direct_subgroups)
  );
}

function sameMembers(a: readonly number[], b: readonly number[]): boolean {
  const left = new Set(a);
  const right = new Set(b);
  return left.size === right.size && left.isSubsetOf(right);
}
