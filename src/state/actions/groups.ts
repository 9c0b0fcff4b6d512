import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import type {GroupSettingName} from '#wire/objects/group.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';

export interface NewGroup {
  readonly name: string;
  readonly description?: string;
  readonly memberIds: readonly number[];
  readonly subgroupIds?: readonly number[];
  /** Those that are not given are set by the server. */
  readonly permissions?: Partial<Record<GroupSettingName, GroupSetting>>;
}

export async function createGroup({api}: SessionContext, group: NewGroup): Promise<void> {
  const {name, description = '', memberIds, subgroupIds = [], permissions = {}} = group;
  await api.createGroup({
    name,
    description,
    members: [...memberIds],
    ...(subgroupIds.length > 0 && {subgroups: [...subgroupIds]}),
    ...permissions,
  });
}

export type GroupChange = Omit<ArgsOf<Endpoints['updateGroup']>, 'user_group_id'>;

/** Users and groups to add to a group, or to remove from it. */
export interface GroupMembers {
  readonly userIds?: readonly number[];
  readonly groupIds?: readonly number[];
}

/** Adds and removes members and subgroups; the user joins and leaves the same way. */
export async function changeGroupMembers(
  {api}: SessionContext,
  id: number,
  {add = {}, remove = {}}: {readonly add?: GroupMembers; readonly remove?: GroupMembers},
): Promise<void> {
  const [addedUsers, removedUsers] = [[...(add.userIds ?? [])], [...(remove.userIds ?? [])]];
  const [addedGroups, removedGroups] = [[...(add.groupIds ?? [])], [...(remove.groupIds ?? [])]];
  if (addedUsers.length + removedUsers.length > 0) {
    await api.updateGroupMembers({user_group_id: id, add: addedUsers, delete: removedUsers});
  }
  if (addedGroups.length + removedGroups.length > 0) {
    await api.updateSubgroups({user_group_id: id, add: addedGroups, delete: removedGroups});
  }
}
