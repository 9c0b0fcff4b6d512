import {endpoint, fallback, flag, ids, json, optional, pathId, since, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {group} from '#wire/objects/group.ts';
import {groupSetting, groupSettingChange} from '#wire/objects/group-setting.ts';
import {int, ints, object, s} from '#wire/schema.ts';

/** The permissions of a group, with their feature levels. */
export const groupPermissionLevels = {
  can_add_members_group: levels.groupAddMembers,
  can_join_group: levels.groupJoin,
  can_leave_group: levels.groupLeave,
  can_manage_group: levels.groupManage,
  can_mention_group: levels.groupMention,
  can_remove_members_group: levels.groupRemoveMembers,
} as const;

function permissionParams<P>(makeParam: (level: number) => P): {
  [K in keyof typeof groupPermissionLevels]: P;
} {
  return Object.fromEntries(Object.entries(groupPermissionLevels).map(([name, level]) => [name, makeParam(level)])) as {
    [K in keyof typeof groupPermissionLevels]: P;
  };
}

export const getGroups = endpoint('group.list', 'GET /user_groups', {
  params: {include_deactivated_groups: since(levels.groupDeactivated, fallback(flag, false))},
  result: object({user_groups: s.array(group)}),
});

export const createGroup = endpoint('group.create', 'POST /user_groups/create', {
  params: {
    description: text,
    members: ids,
    name: text,
    subgroups: since(levels.subgroups, optional(ids)),
    ...permissionParams((level) => since(level, optional(json(groupSetting)))),
  },
  result: object({}, {group_id: int}),
});

export const updateGroup = endpoint('group.update', 'PATCH /user_groups/{user_group_id}', {
  params: {
    user_group_id: pathId,
    name: optional(text),
    description: optional(text),
    deactivated: since(levels.groupReactivated, optional(flag)),
    ...permissionParams((level) => since(level, optional(json(groupSettingChange)))),
  },
});

export const deactivateGroup = endpoint('group.deactivate', 'POST /user_groups/{user_group_id}/deactivate', {
  since: levels.groupDeactivated,
  params: {user_group_id: pathId},
});

/** Deletes a group; on servers below level 290, which have no deactivation. */
export const deleteGroup = endpoint('group.delete', 'DELETE /user_groups/{user_group_id}', {
  until: levels.groupDeactivated,
  params: {user_group_id: pathId},
});

export const getGroupMembers = endpoint('group.members', 'GET /user_groups/{user_group_id}/members', {
  params: {user_group_id: pathId, direct_member_only: fallback(flag, false)},
  result: object({members: ints}),
});

export const isGroupMember = endpoint('group.is-member', 'GET /user_groups/{user_group_id}/members/{user_id}', {
  params: {user_group_id: pathId, user_id: pathId, direct_member_only: fallback(flag, false)},
  result: object({is_user_group_member: s.boolean()}),
});

export const updateGroupMembers = endpoint('group.update-members', 'POST /user_groups/{user_group_id}/members', {
  params: {
    user_group_id: pathId,
    add: fallback(ids, []),
    delete: fallback(ids, []),
    add_subgroups: since(levels.subgroups, optional(ids)),
    delete_subgroups: since(levels.subgroups, optional(ids)),
  },
});

export const getSubgroups = endpoint('group.subgroups', 'GET /user_groups/{user_group_id}/subgroups', {
  since: levels.subgroups,
  params: {user_group_id: pathId, direct_subgroup_only: fallback(flag, false)},
  result: object({subgroups: ints}),
});

export const updateSubgroups = endpoint('group.update-subgroups', 'POST /user_groups/{user_group_id}/subgroups', {
  since: levels.subgroups,
  params: {user_group_id: pathId, add: fallback(ids, []), delete: fallback(ids, [])},
});
