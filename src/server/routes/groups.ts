import {changeGroupMembers, changeSubgroups} from '#server/actions/groups/group-members.ts';
import {createGroup, deactivateGroup, updateGroup} from '#server/actions/groups/groups.ts';
import type {RequestContext} from '#server/context.ts';
import {directSubgroupIds, nestedGroupIds} from '#server/db/groups.ts';
import {badRequest} from '#server/http/errors.ts';
import {type Route, route} from '#server/http/route.ts';
import {requireActiveGroup} from '#server/permissions/group-setting.ts';
import {requireGroup} from '#server/permissions/groups.ts';
import {requireActivePerson} from '#server/permissions/user-access.ts';
import {allMemberIds, directMemberIds, groupViews} from '#server/views/group.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {GroupSettingName} from '#wire/objects/group.ts';

export const groupsRoutes: readonly Route[] = [
  route(endpoints.getGroups, (call, params) => ({
    user_groups: groupViews(call, {includeDeactivated: params.include_deactivated_groups}),
  })),
  route(endpoints.createGroup, (call, params) => {
    const {name, description, members, subgroups = []} = params;
    const permissions = groupSettings(params);
    return {group_id: createGroup(call, call.actor, {name, description, members, subgroups, permissions})};
  }),
  route(endpoints.updateGroup, (call, params) => {
    const {name, description, deactivated} = params;
    updateGroup(call, call.actor, params.user_group_id, {
      name,
      description,
      deactivated,
      permissions: groupSettings(params),
    });
  }),
  route(endpoints.deactivateGroup, (call, params) =>
    deactivateGroup(call, call.actor, requireGroup(call, params.user_group_id)),
  ),
  route(endpoints.deleteGroup, (call, params) =>
    deactivateGroup(call, call.actor, requireGroup(call, params.user_group_id)),
  ),
  route(endpoints.getGroupMembers, (call, params) => ({
    members: memberIds(call, params.user_group_id, params.direct_member_only),
  })),
  route(endpoints.isGroupMember, (call, params) => {
    const members = memberIds(call, params.user_group_id, params.direct_member_only);
    const user = requireActivePerson(call, call.actor, params.user_id);
    return {is_user_group_member: members.includes(user.id)};
  }),
  route(endpoints.updateGroupMembers, (call, params) => {
    const people = {add: params.add, remove: params.delete};
    const groups = {add: params.add_subgroups ?? [], remove: params.delete_subgroups ?? []};
    const isEmpty = [people, groups].every(({add, remove}) => add.length + remove.length === 0);
    if (isEmpty)
      throw badRequest(
        'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
      );
    const group = requireGroup(call, params.user_group_id);
    changeGroupMembers(call, call.actor, group, people);
    changeSubgroups(call, call.actor, group, groups);
  }),
  route(endpoints.getSubgroups, (call, params) => {
    const {id} = requireActiveGroup(call, params.user_group_id);
    return {
      subgroups: params.direct_subgroup_only ? directSubgroupIds(call.db, id) : nestedGroupIds(call.db, id),
    };
  }),
  route(endpoints.updateSubgroups, (call, params) => {
    if (params.add.length + params.delete.length === 0) {
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
    }
    const group = requireGroup(call, params.user_group_id);
    changeSubgroups(call, call.actor, group, {add: params.add, remove: params.delete});
  }),
];

function memberIds(call: RequestContext, groupId: number, direct: boolean): number[] {
  const group = requireActiveGroup(call, groupId);
  return direct ? directMemberIds(call, group) : allMemberIds(call, group);
}

/** Returns the group settings among the parameters. */
function groupSettings<T>(params: Record<GroupSettingName, T>): Record<GroupSettingName, T> {
  const {can_add_members_group, can_join_group, can_leave_group} = params;
  const {can_manage_group, can_mention_group, can_remove_members_group} = params;
  return {
    can_add_members_group,
    can_join_group,
    can_leave_group,
    can_manage_group,
    can_mention_group,
    can_remove_members_group,
  };
}
