import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type UserChange = Omit<ArgsOf<Endpoints['updateUser']>, 'user_id'>;

/** What is deleted with the account. */
export const deactivationActions = [
  'delete_profile',
  'delete_public_channel_messages',
  'delete_private_channel_messages',
  'delete_direct_messages',
] as const;
export type DeactivationAction = (typeof deactivationActions)[number];

export type BotChange = Omit<ArgsOf<Endpoints['updateBot']>, 'bot_id'>;

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

export type LinkifierFields = ArgsOf<Endpoints['addLinkifier']>;

export type ProfileFieldChange = Omit<ArgsOf<Endpoints['updateProfileField']>, 'field_id'>;

export type RealmChange = ArgsOf<Endpoints['updateRealm']>;
