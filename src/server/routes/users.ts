import {checkedEmail, isEmailAddress} from '#server/accounts/email-address.ts';
import {checkedFullName} from '#server/accounts/full-name.ts';
import {hashNewPassword} from '#server/accounts/password.ts';
import {addAlertWords, alertWords, removeAlertWords} from '#server/actions/users/alert-words.ts';
import {createUser} from '#server/actions/users/create-user.ts';
import {deactivateOther, deactivateSelf, reactivateUser} from '#server/actions/users/deactivate-user.ts';
import {muteUser, unmuteUser} from '#server/actions/users/muted-users.ts';
import {clearProfileData, setProfileData} from '#server/actions/users/profile-data.ts';
import {updateUser} from '#server/actions/users/update-user.ts';
import type {RequestContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {unauthorized} from '#server/http/auth.ts';
import {badRequest} from '#server/http/errors.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route, slicedRoute} from '#server/http/route.ts';
import {hasPermission, organization} from '#server/permissions/has-permission.ts';
import {
  requireAccessibleUser,
  requireAccessibleUserByEmail,
  requireActivePerson,
  requireAdmin,
} from '#server/permissions/user-access.ts';
import {ownUserView} from '#server/views/own-user.ts';
import {profileDataByUser} from '#server/views/profile-data.ts';
import {userView} from '#server/views/user.ts';
import {userViews} from '#server/views/users.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {WireUser} from '#wire/objects/user.ts';
import {avatarRoutes} from './avatars.ts';
import {settingsRoutes} from './settings.ts';

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
  ...settingsRoutes,
  ...avatarRoutes,
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
