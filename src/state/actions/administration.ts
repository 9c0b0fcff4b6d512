import type {FileSource} from '#api/multipart.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type GroupChange = Omit<ArgsOf<Endpoints['updateGroup']>, 'user_group_id'>;

/** Users and groups to add to a group, or to remove from it. */
interface GroupMembers {
  readonly userIds?: readonly number[];
  readonly groupIds?: readonly number[];
}

/** Adds and removes members and subgroups; the user joins and leaves the same way. */
export async function changeGroupMembers(
  {api}: SessionContext,
  id: number,
  {add = {}, remove = {}}: {readonly add?: GroupMembers; readonly remove?: GroupMembers},
): Promise<void> {
  const addedUsers = [...(add.userIds ?? [])];
  const removedUsers = [...(remove.userIds ?? [])];
  const addedGroups = [...(add.groupIds ?? [])];
  const removedGroups = [...(remove.groupIds ?? [])];
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

/** Has the server write an export; without a type, as old servers need it, of public data. */
export function requestDataExport({api}: SessionContext, type: string | undefined) {
  return api.requestExport(type === undefined ? {} : {export_type: type});
}

export function deleteDataExport({api}: SessionContext, id: number) {
  return api.deleteExport({export_id: id});
}

export function deactivateOrganization({api}: SessionContext) {
  return api.deactivateRealm();
}

export function addEmoji({api}: SessionContext, name: string, file: FileSource) {
  return api.addEmoji({emoji_name: name, file});
}

export function removeEmoji({api}: SessionContext, name: string) {
  return api.removeEmoji({emoji_name: name});
}

export function createGroup({api}: SessionContext, group: ArgsOf<Endpoints['createGroup']>) {
  return api.createGroup(group);
}

export function updateGroup({api}: SessionContext, id: number, change: GroupChange) {
  return api.updateGroup({user_group_id: id, ...change});
}

export function deactivateGroup({api}: SessionContext, id: number) {
  return api.deactivateGroup({user_group_id: id});
}

export function updateOrganization({api}: SessionContext, change: RealmChange) {
  return api.updateRealm(change);
}

export function setIcon({api}: SessionContext, file: FileSource) {
  return api.uploadIcon({file});
}

export function removeIcon({api}: SessionContext) {
  return api.removeIcon();
}
