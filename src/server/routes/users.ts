import {randomBytes} from 'node:crypto';
import {checkedEmail, checkedFullName, isEmailAddress} from '#server/accounts/account-names.ts';
import {hashNewPassword, limitLoginAttempts} from '#server/accounts/password.ts';
import {isPassword} from '#server/accounts/secrets.ts';
import {changeGroupMembers, changeSubgroups} from '#server/actions/groups/group-members.ts';
import {createGroup, deactivateGroup, updateGroup} from '#server/actions/groups/groups.ts';
import {avatarPath, checkCanChangeAvatar, setAvatar} from '#server/actions/users/avatars.ts';
import {createUser} from '#server/actions/users/create-user.ts';
import {deactivateOther, deactivateSelf, reactivateUser} from '#server/actions/users/deactivate-user.ts';
import {addAlertWords, alertWords, muteUser, removeAlertWords, unmuteUser} from '#server/actions/users/own-lists.ts';
import {clearProfileData, setProfileData} from '#server/actions/users/profile-data.ts';
import {updateAccount} from '#server/actions/users/update-account.ts';
import {updateUser} from '#server/actions/users/update-user.ts';
import type {RequestContext, ServerContext} from '#server/context.ts';
import {directSubgroupIds, nestedGroupIds} from '#server/db/groups.ts';
import type {UserRow} from '#server/db/rows.ts';
import {unauthorized} from '#server/http/auth.ts';
import {badRequest} from '#server/http/errors.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route, slicedRoute, type Upload} from '#server/http/route.ts';
import {requireActiveGroup, requireGroup} from '#server/permissions/groups.ts';
import {hasPermission, organization} from '#server/permissions/has-permission.ts';
import {
  requireAccessibleUser,
  requireAccessibleUserByEmail,
  requireActivePerson,
  requireAdmin,
} from '#server/permissions/user-access.ts';
import {checkedImageFormat} from '#server/uploads/image.ts';
import {allMemberIds, directMemberIds, groupViews} from '#server/views/group.ts';
import {profileDataByUser} from '#server/views/profile-data.ts';
import {avatarUrl, userView} from '#server/views/user.ts';
import {ownUserView, userViews} from '#server/views/users.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {GroupSettingName} from '#wire/objects/group.ts';
import type {WireUser} from '#wire/objects/user.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

interface ReadParams {
  readonly client_gravatar: boolean;
  readonly include_custom_profile_fields: boolean;
}

export const usersRoutes: readonly Route[] = [
  slicedRoute(endpoints.getUsers, function* (call, params) {
    const members = userViews(call, call.actor, {
      clientGravatar: params.client_gravatar,
      profileData: params.include_custom_profile_fields,
      ids: params.user_ids,
      placeholders: false,
    });
    // The response is encoded after a pause.
    yield;
    return {members};
  }),
  route(endpoints.getOwnUser, (call) => ownUserView(call, call.actor)),
  route(endpoints.getUser, (call, params) => ({
    user: requestedUser(call, requireAccessibleUser(call, call.actor, params.user_id), params),
  })),
  route(endpoints.getUserByEmail, (call, params) => ({
    user: requestedUser(call, requireAccessibleUserByEmail(call, call.actor, params.email), params),
  })),
  asyncRoute(endpoints.createUser, createAccount),
  route(endpoints.updateUser, (call, params) =>
    updateUser(call, call.actor, requireAccessibleUser(call, call.actor, params.user_id), params),
  ),
  route(endpoints.updateUserByEmail, (call, params) =>
    updateUser(call, call.actor, requireAccessibleUserByEmail(call, call.actor, params.email), params),
  ),
  route(endpoints.deactivateUser, (call, params) => {
    const target = requireActivePerson(call, call.actor, params.user_id);
    requireAdmin(call.actor);
    deactivateOther(call, call.actor, target, params.actions);
  }),
  route(endpoints.deactivateOwnUser, (call) => deactivateSelf(call, call.actor)),
  route(endpoints.reactivateUser, (call, params) =>
    reactivateUser(call, call.actor, requireAccessibleUser(call, call.actor, params.user_id)),
  ),
  route(endpoints.muteUser, (call, params) =>
    muteUser(call, call.actor, requireAccessibleUser(call, call.actor, params.muted_user_id)),
  ),
  route(endpoints.unmuteUser, (call, params) =>
    unmuteUser(call, call.actor, requireAccessibleUser(call, call.actor, params.muted_user_id)),
  ),
  route(endpoints.updateProfileData, (call, params) => setProfileData(call, call.actor, call.actor, params.data)),
  route(endpoints.removeProfileData, (call, params) => clearProfileData(call, call.actor, params.data)),
  route(endpoints.getAlertWords, (call) => ({alert_words: alertWords(call.db, call.actor.id)})),
  route(endpoints.addAlertWords, (call, params) => ({
    alert_words: addAlertWords(call, call.actor, params.alert_words),
  })),
  route(endpoints.removeAlertWords, (call, params) => ({
    alert_words: removeAlertWords(call, call.actor, params.alert_words),
  })),
];

function requestedUser(call: RequestContext, user: UserRow, params: ReadParams): WireUser {
  if (user.is_system_bot === 1) throw badRequest('No such user');
  const profileData = params.include_custom_profile_fields
    ? (profileDataByUser(call, [user.id]).get(user.id) ?? {})
    : undefined;
  return userView(call, call.actor, user, {clientGravatar: params.client_gravatar, profileData});
}

async function createAccount(
  request: AsyncRequestContext,
  params: ParamsOf<typeof endpoints.createUser>,
): Promise<{user_id: number}> {
  const {actor, server} = request;
  if (actor === undefined) throw unauthorized('Not logged in: API authentication or user session required');
  const now = Math.floor(server.clock.now() / 1000);
  if (!hasPermission({server, now}, actor, organization({server}).can_create_users_group)) {
    throw badRequest('User not authorized to create users');
  }
  const {email, full_name: fullName} = params;
  request.runAction((call) => {
    checkedFullName(call, fullName);
    if (!isEmailAddress(call, email)) throw badRequest('Bad name or username');
    checkedEmail(call, email);
  });
  const passwordHash = await hashNewPassword(server, params.password);
  return request.runAction((call) => {
    return {user_id: createUser(call, {email, fullName, passwordHash, actor}).id};
  });
}

export const settingsRoutes: readonly Route[] = [
  asyncRoute(endpoints.updateSettings, changeSettings),
  asyncRoute(otherEndpoints.updateDisplaySettings, changeSettings),
  asyncRoute(otherEndpoints.updateNotificationSettings, changeSettings),
];

async function changeSettings(
  request: AsyncRequestContext,
  params: ParamsOf<typeof endpoints.updateSettings>,
): Promise<void> {
  const {actor, server} = request;
  if (actor === undefined) throw unauthorized('Not logged in: API authentication or user session required');
  const {full_name: fullName, email, old_password, new_password, ...settings} = params;
  const passwordHash =
    new_password === undefined ? undefined : await changedPassword(server, actor, old_password ?? '', new_password);
  request.runAction((call) => updateAccount(call, call.actor, {settings, fullName, email, passwordHash}));
}

/** Returns the hash of a new password after checking the old one; wrong guesses count as failed logins. */
async function changedPassword(
  server: ServerContext,
  user: UserRow,
  oldPassword: string,
  newPassword: string,
): Promise<string> {
  await limitLoginAttempts(server, user.delivery_email, async () => {
    if (!(await isPassword(user.password_hash, oldPassword, server.passwordCost))) throw badRequest('Wrong password!');
  });
  return hashNewPassword(server, newPassword, 'New password is too weak!');
}

export const avatarRoutes: readonly Route[] = [
  asyncRoute(endpoints.uploadAvatar, async (request) => {
    const {actor, upload} = request;
    if (actor === undefined) throw unauthorized('Not logged in: API authentication or user session required');
    if (upload === undefined) throw badRequest('You must upload exactly one avatar.');
    checkCanChangeAvatar(request, actor);
    return storeAvatar(request, actor, upload, (call, name) => ownUrl(setAvatar(call, call.actor, name)));
  }),
  route(endpoints.deleteAvatar, (call) => {
    checkCanChangeAvatar(call, call.actor);
    return ownUrl(call.actor.avatar_source === 'U' ? setAvatar(call, call.actor, undefined) : call.actor);
  }),
];

/** Stores an uploaded picture of a user under a new name, and deletes it again if `save` fails. */
export async function storeAvatar<T>(
  request: AsyncRequestContext,
  {id}: Pick<UserRow, 'id'>,
  upload: Upload,
  save: (call: RequestContext, name: string) => T,
): Promise<T> {
  const {server} = request;
  const {extension} = checkedImageFormat(upload);
  const name = `${id}/${randomBytes(20).toString('hex')}.${extension}`;
  await upload.file.keep(avatarPath(name));
  try {
    return request.runAction((call) => save(call, name));
  } catch (error) {
    await server.files.delete(avatarPath(name));
    throw error;
  }
}

/** Users see their own address, so the response always contains the URL of the avatar. */
function ownUrl(user: UserRow): {avatar_url: string | null} {
  return {avatar_url: avatarUrl(user, {clientGravatar: false, seesEmail: true})};
}

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
