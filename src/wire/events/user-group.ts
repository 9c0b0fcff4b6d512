import {group, groupSettings} from '#wire/objects/group.ts';
import {type Infer, int, ints, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const userGroupAdd = object({...eventFieldsWithOp('user_group', 'add'), group});
export const userGroupUpdate = object({
  ...eventFieldsWithOp('user_group', 'update'),
  group_id: int,
  data: object({}, {name: s.string(), description: s.string(), deactivated: s.boolean(), ...groupSettings}),
});
const members = {group_id: int, user_ids: ints};
const subgroups = {group_id: int, direct_subgroup_ids: ints};
export const userGroupAddMembers = object({...eventFieldsWithOp('user_group', 'add_members'), ...members});
export const userGroupRemoveMembers = object({
  ...eventFieldsWithOp('user_group', 'remove_members'),
  ...members,
});
export const userGroupAddSubgroups = object({
  ...eventFieldsWithOp('user_group', 'add_subgroups'),
  ...subgroups,
});
export const userGroupRemoveSubgroups = object({
  ...eventFieldsWithOp('user_group', 'remove_subgroups'),
  ...subgroups,
});
export const userGroupRemove = object({...eventFieldsWithOp('user_group', 'remove'), group_id: int});

export type UserGroupEvent =
  | Infer<typeof userGroupAdd>
  | Infer<typeof userGroupUpdate>
  | Infer<typeof userGroupAddMembers>
  | Infer<typeof userGroupRemoveMembers>
  | Infer<typeof userGroupAddSubgroups>
  | Infer<typeof userGroupRemoveSubgroups>
  | Infer<typeof userGroupRemove>;
