import {endpoint, fallback, flag, ids, json, optional, pathId, since, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {group} from '#wire/objects/group.ts';
import {groupSetting, groupSettingChange} from '#wire/objects/group-setting.ts';
import {int, ints, object, s} from '#wire/schema.ts';

const initial = optional(json(groupSetting));
const change = optional(json(groupSettingChange));

export const getGroups = endpoint('group.list', 'GET /user_groups', {
  params: {include_deactivated_groups: since(levels.groupDeactivated, fallback(flag, false))},
  result: object({user_groups: s.array(group)}),
});

export const createGroup = endpoint('group.create', 'POST /user_groups/create', {
  params: {
    name: text,
    description: text,
    members: fallback(ids, []),
    subgroups: optional(ids),
    can_add_members_group: initial,
    can_join_group: initial,
    can_leave_group: initial,
    can_manage_group: initial,
    can_mention_group: initial,
    can_remove_members_group: initial,
  },
  result: object({}, {group_id: int}),
});

export const updateGroup = endpoint('group.update', 'PATCH /user_groups/{user_group_id}', {
  params: {
    user_group_id: pathId,
    name: optional(text),
    description: optional(text),
    deactivated: since(levels.groupDeactivated, optional(flag)),
    can_add_members_group: change,
    can_join_group: change,
    can_leave_group: change,
    can_manage_group: change,
    can_mention_group: change,
    can_remove_members_group: change,
  },
});

export const deactivateGroup = endpoint('group.deactivate', 'POST /user_groups/{user_group_id}/deactivate', {
  since: levels.groupDeactivated,
  params: {user_group_id: pathId},
});

/** What servers below level 290 have in place of deactivation. */
export const deleteGroup = endpoint('group.delete', 'DELETE /user_groups/{user_group_id}', {
  params: {user_group_id: pathId},
});

export const getGroupMembers = endpoint('group.members', 'GET /user_groups/{user_group_id}/members', {
  params: {user_group_id: pathId, direct_member_only: fallback(flag, false)},
  result: object({members: ints}),
});

export const isGroupMember = endpoint(
  'group.is-member',
  'GET /user_groups/{user_group_id}/members/{user_id}',
  {
    params: {user_group_id: pathId, user_id: pathId, direct_member_only: fallback(flag, false)},
    result: object({is_user_group_member: s.boolean()}),
  },
);

export const updateGroupMembers = endpoint(
  'group.update-members',
  'POST /user_groups/{user_group_id}/members',
  {
    params: {
      user_group_id: pathId,
      add: fallback(ids, []),
      delete: fallback(ids, []),
      add_subgroups: optional(ids),
      delete_subgroups: optional(ids),
    },
  },
);

export const getSubgroups = endpoint('group.subgroups', 'GET /user_groups/{user_group_id}/subgroups', {
  since: levels.subgroups,
  params: {user_group_id: pathId, direct_subgroup_only: fallback(flag, false)},
  result: object({subgroups: ints}),
});

export const updateSubgroups = endpoint(
  'group.update-subgroups',
  'POST /user_groups/{user_group_id}/subgroups',
  {
    since: levels.subgroups,
    params: {user_group_id: pathId, add: fallback(ids, []), delete: fallback(ids, [])},
  },
);
