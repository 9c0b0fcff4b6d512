import {
  byId,
  type Infer,
  int,
  namedObject,
  nullableInt,
  nullableText,
  object,
  openIntEnum,
  s,
  timestamp,
} from '#wire/schema.ts';
import {reactionType} from './reaction.ts';

export const roles = {owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600} as const;
export const role = openIntEnum(100, 200, 300, 400, 600);
export type UserRole = Infer<typeof role>;

/** A role in a request, which must be one that exists. */
export const knownRole = s.pipe(
  role,
  s.check(
    (value) => Object.values<number>(roles).includes(value),
    'Invalid {at}: Value error, Not in the list of possible values',
  ),
);

export const botTypes = {generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4} as const;
export const botType = openIntEnum(1, 2, 3, 4);

/** The values of profile fields; the value of a users field is the JSON text of a list of ids. */
export const profileValue = object({value: s.string()}, {rendered_value: s.string()});
export type WireProfileValue = Infer<typeof profileValue>;

export const profileData = byId(profileValue);
export type ProfileData = Infer<typeof profileData>;

/** A value to set: text, ids for a users field, null to clear it. */
const profileInputValues = [s.string(), s.array(int)] as const;
const notText = '{at}["str"] is not a string';
export const ownProfileInput = namedObject('CustomProfileFieldUpdateData', {
  id: int,
  value: s.union(profileInputValues, notText),
});
export const profileInput = namedObject('ProfileDataElement', {
  id: int,
  value: s.union([...profileInputValues, s.null()], notText),
});
export type ProfileInput = Infer<typeof profileInput>;

/** A user. Most servers omit `is_active` in a snapshot, where inactive users have their own list. */
export const user = object(
  {user_id: int, email: s.string(), full_name: s.string()},
  {
    is_active: s.boolean(),
    is_bot: s.boolean(),
    role,
    delivery_email: nullableText,
    date_joined: s.string(),
    is_owner: s.boolean(),
    is_admin: s.boolean(),
    is_guest: s.boolean(),
    is_billing_admin: s.boolean(),
    bot_type: s.nullable(botType),
    bot_owner_id: nullableInt,
    timezone: s.string(),
    avatar_url: nullableText,
    avatar_version: int,
    is_imported_stub: s.boolean(),
    is_deleted: s.boolean(),
    is_system_bot: s.boolean(),
    profile_data: profileData,
  },
);
export type WireUser = Infer<typeof user>;

/** Returns a user's role, derived from the older boolean fields if `role` is missing. */
export function userRole(fields: Pick<WireUser, 'role' | 'is_owner' | 'is_admin' | 'is_guest'>): UserRole {
  if (fields.role !== undefined) return fields.role;
  if (fields.is_owner === true) return roles.owner;
  if (fields.is_admin === true) return roles.administrator;
  return fields.is_guest === true ? roles.guest : roles.member;
}

/** The result of `GET /users/me`: the user's own record, at the top level of the response. */
export const ownUser = object(
  {user_id: int, email: s.string(), full_name: s.string()},
  {...user.entries, max_message_id: int, is_moderator: s.boolean(), avatar_source: s.string()},
);
export type OwnUser = Infer<typeof ownUser>;

export const mutedUser = object({id: int, timestamp});
export type MutedUser = Infer<typeof mutedUser>;

const statusFields = {
  status_text: s.string(),
  emoji_name: s.string(),
  emoji_code: s.string(),
  reaction_type: reactionType,
  away: s.boolean(),
};

/** A user's status; an empty field equals an absent one. */
export const userStatus = object({}, statusFields);
export type WireUserStatus = Infer<typeof userStatus>;

export const userStatuses = byId(userStatus);
