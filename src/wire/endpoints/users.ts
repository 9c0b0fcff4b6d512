import {
  endpoint,
  fallback,
  flag,
  ids,
  json,
  limitedText,
  optional,
  pathId,
  pathText,
  since,
  text,
} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {knownRole, ownProfileInput, ownUser, profileInput, user} from '#wire/objects/user.ts';
import {int, namedObject, nullableText, object, s, strings, textUpTo} from '#wire/schema.ts';

const readParams = {
  client_gravatar: fallback(flag, true),
  include_custom_profile_fields: fallback(flag, false),
};

const writeParams = {
  full_name: optional(text),
  role: optional(json(knownRole)),
  profile_data: optional(json(s.array(profileInput))),
  new_email: since(levels.changeUserEmail, optional(text)),
};

export const getUsers = endpoint('user.list', 'GET /users', {
  params: {...readParams, user_ids: since(levels.usersByIds, optional(ids))},
  result: object({members: s.array(user)}),
});

export const getOwnUser = endpoint('user.own', 'GET /users/me', {params: readParams, result: ownUser});

export const getUser = endpoint('user.get', 'GET /users/{user_id}', {
  params: {user_id: pathId, ...readParams},
  result: object({user}),
});

export const getUserByEmail = endpoint('user.get-by-email', 'GET /users/{email}', {
  params: {email: pathText, ...readParams},
  result: object({user}),
});

export const createUser = endpoint('user.create', 'POST /users', {
  params: {email: text, full_name: text, password: text},
  result: object({user_id: int}),
});

export const updateUser = endpoint('user.update', 'PATCH /users/{user_id}', {
  params: {user_id: pathId, ...writeParams},
});

export const updateUserByEmail = endpoint('user.update-by-email', 'PATCH /users/{email}', {
  since: levels.userByEmail,
  params: {email: pathText, ...writeParams},
});

const deactivationActions = namedObject(
  'DeactivateUserActions',
  {},
  {
    delete_profile: s.boolean(),
    delete_public_channel_messages: s.boolean(),
    delete_private_channel_messages: s.boolean(),
    delete_direct_messages: s.boolean(),
  },
);

export const deactivateUser = endpoint('user.deactivate', 'DELETE /users/{user_id}', {
  params: {
    user_id: pathId,
    deactivation_notification_comment: optional(limitedText(2000)),
    actions: since(levels.deactivationActions, optional(json(deactivationActions))),
  },
});

export const deactivateOwnUser = endpoint('user.deactivate-own', 'DELETE /users/me', {});

export const reactivateUser = endpoint('user.reactivate', 'POST /users/{user_id}/reactivate', {
  params: {user_id: pathId},
});

export const muteUser = endpoint('muted-user.add', 'POST /users/me/muted_users/{muted_user_id}', {
  params: {muted_user_id: pathId},
});

export const unmuteUser = endpoint('muted-user.remove', 'DELETE /users/me/muted_users/{muted_user_id}', {
  params: {muted_user_id: pathId},
});

export const updateProfileData = endpoint('profile-data.update', 'PATCH /users/me/profile_data', {
  params: {data: json(s.array(ownProfileInput))},
});

export const removeProfileData = endpoint('profile-data.remove', 'DELETE /users/me/profile_data', {
  params: {data: ids},
});

const alertWords = object({alert_words: strings});

export const getAlertWords = endpoint('alert-word.list', 'GET /users/me/alert_words', {result: alertWords});

export const addAlertWords = endpoint('alert-word.add', 'POST /users/me/alert_words', {
  params: {alert_words: json(s.array(textUpTo(100)))},
  result: alertWords,
});

export const removeAlertWords = endpoint('alert-word.remove', 'DELETE /users/me/alert_words', {
  params: {alert_words: json(strings)},
  result: alertWords,
});

const avatar = object({}, {avatar_url: nullableText});

export const uploadAvatar = endpoint('avatar.upload', 'POST /users/me/avatar', {
  upload: true,
  result: avatar,
});

export const deleteAvatar = endpoint('avatar.delete', 'DELETE /users/me/avatar', {result: avatar});
