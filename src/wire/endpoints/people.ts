import {
  endpoint,
  fallback,
  flag,
  ids,
  json,
  limitedText,
  number,
  optional,
  optionalParams,
  raw,
  since,
  text,
} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {group, groupSetting, groupSettingChange, groupSettingLevels} from '#wire/objects/group.ts';
import {
  anyPresences,
  knownRole,
  legacyPresences,
  ownProfileInput,
  ownUser,
  profileInput,
  singlePresence,
  user,
  userStatus,
} from '#wire/objects/user.ts';
import {int, ints, namedObject, nullableText, object, s, strings, textUpTo} from '#wire/schema.ts';
import {accountParams} from '#wire/setting-params.ts';

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
  params: readParams,
  result: object({user}),
});

export const getUserByEmail = endpoint('user.get-by-email', 'GET /users/{email}', {
  params: readParams,
  result: object({user}),
});

export const createUser = endpoint('user.create', 'POST /users', {
  params: {email: text, full_name: text, password: text},
  result: object({user_id: int}),
});

export const updateUser = endpoint('user.update', 'PATCH /users/{user_id}', {params: writeParams});

export const updateUserByEmail = endpoint('user.update-by-email', 'PATCH /users/{email}', {
  since: levels.userByEmail,
  params: writeParams,
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
    deactivation_notification_comment: optional(limitedText(2000)),
    actions: since(levels.deactivationActions, optional(json(deactivationActions))),
  },
});

export const deactivateOwnUser = endpoint('user.deactivate-own', 'DELETE /users/me');

export const reactivateUser = endpoint('user.reactivate', 'POST /users/{user_id}/reactivate');

export const muteUser = endpoint('muted-user.add', 'POST /users/me/muted_users/{muted_user_id}');

export const unmuteUser = endpoint('muted-user.remove', 'DELETE /users/me/muted_users/{muted_user_id}');

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

export const updateSettings = endpoint('settings.update', 'PATCH /settings', {
  params: accountParams,
});

/** Reports presence. With `ping_only` the response may have no fields. */
export const updatePresence = endpoint('presence.update', 'POST /users/me/presence', {
  params: {
    status: raw(s.picklist(['active', 'idle'], ({input}) => `Invalid {at}: ${input}`)),
    last_update_id: since(levels.presenceUpdates, optional(number)),
    history_limit_days: since(levels.presenceHistory, optional(number)),
    new_user_input: fallback(flag, false),
    ping_only: fallback(flag, false),
    slim_presence: fallback(flag, false),
  },
  result: object({}, {presence_last_update_id: int, server_timestamp: s.number(), presences: anyPresences}),
});

const onePresence = object({presence: singlePresence}, {server_timestamp: s.number()});

export const getUserPresence = endpoint('presence.get', 'GET /users/{user_id}/presence', {result: onePresence});

export const getUserPresenceByEmail = endpoint('presence.get-by-email', 'GET /users/{email}/presence', {
  result: onePresence,
});

export const getRealmPresence = endpoint('presence.list', 'GET /realm/presence', {
  result: object({presences: legacyPresences}, {server_timestamp: s.number()}),
});

const statusParams = {
  status_text: optional(limitedText(60)),
  emoji_name: optional(text),
  emoji_code: optional(text),
  reaction_type: optional(text),
};

export const updateStatus = endpoint('status.update', 'POST /users/me/status', {
  params: {...statusParams, away: optional(flag)},
});

export const getUserStatus = endpoint('status.get', 'GET /users/{user_id}/status', {
  since: levels.getUserStatus,
  result: object({status: userStatus}),
});

export const updateUserStatus = endpoint('status.update-other', 'POST /users/{user_id}/status', {
  since: levels.setUserStatus,
  params: {...statusParams},
});

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
    ...optionalParams(groupSettingLevels, groupSetting),
  },
  result: object({}, {group_id: int}),
});

export const updateGroup = endpoint('group.update', 'PATCH /user_groups/{user_group_id}', {
  params: {
    name: optional(text),
    description: optional(text),
    deactivated: since(levels.groupReactivated, optional(flag)),
    ...optionalParams(groupSettingLevels, groupSettingChange),
  },
});

export const deactivateGroup = endpoint('group.deactivate', 'POST /user_groups/{user_group_id}/deactivate', {
  since: levels.groupDeactivated,
});

/** Deletes a group; on servers below level 290, which have no deactivation. */
export const deleteGroup = endpoint('group.delete', 'DELETE /user_groups/{user_group_id}', {
  until: levels.groupDeactivated,
});

export const getGroupMembers = endpoint('group.members', 'GET /user_groups/{user_group_id}/members', {
  params: {direct_member_only: fallback(flag, false)},
  result: object({members: ints}),
});

export const isGroupMember = endpoint('group.is-member', 'GET /user_groups/{user_group_id}/members/{user_id}', {
  params: {direct_member_only: fallback(flag, false)},
  result: object({is_user_group_member: s.boolean()}),
});

export const updateGroupMembers = endpoint('group.update-members', 'POST /user_groups/{user_group_id}/members', {
  params: {
    add: fallback(ids, []),
    delete: fallback(ids, []),
    add_subgroups: since(levels.subgroups, optional(ids)),
    delete_subgroups: since(levels.subgroups, optional(ids)),
  },
});

export const getSubgroups = endpoint('group.subgroups', 'GET /user_groups/{user_group_id}/subgroups', {
  since: levels.subgroups,
  params: {direct_subgroup_only: fallback(flag, false)},
  result: object({subgroups: ints}),
});

export const updateSubgroups = endpoint('group.update-subgroups', 'POST /user_groups/{user_group_id}/subgroups', {
  since: levels.subgroups,
  params: {add: fallback(ids, []), delete: fallback(ids, [])},
});
