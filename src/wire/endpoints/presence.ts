import {
  endpoint,
  fallback,
  flag,
  limitedText,
  number,
  optional,
  pathId,
  pathText,
  raw,
  since,
  text,
} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {anyPresences, legacyPresences, singlePresence} from '#wire/objects/presence.ts';
import {userStatus} from '#wire/objects/user-status.ts';
import {int, object, s} from '#wire/schema.ts';

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

export const getUserPresence = endpoint('presence.get', 'GET /users/{user_id}/presence', {
  params: {user_id: pathId},
  result: onePresence,
});

export const getUserPresenceByEmail = endpoint('presence.get-by-email', 'GET /users/{email}/presence', {
  params: {email: pathText},
  result: onePresence,
});

export const getRealmPresence = endpoint('presence.list', 'GET /realm/presence', {
  result: object({presences: legacyPresences}, {server_timestamp: s.number()}),
});

const statusParams = {
  status_text: optional(limitedText(60)),
  emoji_name: since(levels.statusEmoji, optional(text)),
  emoji_code: since(levels.statusEmoji, optional(text)),
  reaction_type: since(levels.statusEmoji, optional(text)),
};

export const updateStatus = endpoint('status.update', 'POST /users/me/status', {
  params: {...statusParams, away: optional(flag)},
});

export const getUserStatus = endpoint('status.get', 'GET /users/{user_id}/status', {
  since: levels.getUserStatus,
  params: {user_id: pathId},
  result: object({status: userStatus}),
});

export const updateUserStatus = endpoint('status.update-other', 'POST /users/{user_id}/status', {
  since: levels.setUserStatus,
  params: {user_id: pathId, ...statusParams},
});
