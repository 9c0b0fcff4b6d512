import {
  byId,
  type Infer,
  int,
  namedObject,
  nullableInt,
  nullableText,
  object,
  openEnum,
  openIntEnum,
  s,
  timestamp,
} from '#wire/schema.ts';
import {reactionType} from './message.ts';

export const roles = {owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600} as const;
export const role = openIntEnum(100, 200, 300, 400, 600);
type UserRole = Infer<typeof role>;

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
const profileValue = object({value: s.string()}, {rendered_value: s.string()});
export type WireProfileValue = Infer<typeof profileValue>;

const profileData = byId(profileValue);
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

/** The picture and the channels of a bot, as all descriptions of it have them. */
export const botDefaults = {
  avatar_url: nullableText,
  default_sending_stream: nullableText,
  default_events_register_stream: nullableText,
  default_all_public_streams: s.boolean(),
};

/** The data of a bot that only its owner and administrators can see; the rest is in the bot's user record. */
export const bot = object(
  {user_id: int},
  {
    ...botDefaults,
    services: s.array(s.unknown()),
    api_key: s.string(),
    email: s.string(),
    full_name: s.string(),
    bot_type: botType,
    owner_id: nullableInt,
    is_active: s.boolean(),
  },
);
export type WireBot = Infer<typeof bot>;

/** A row of `GET /bots`, which identifies bots by username. */
export const ownedBot = object(
  {username: s.string(), full_name: s.string()},
  {user_id: int, api_key: s.string(), ...botDefaults},
);
export type OwnedBot = Infer<typeof ownedBot>;

/** The current format: keyed by user id. */
const presence = object({}, {active_timestamp: timestamp, idle_timestamp: timestamp});
export type WirePresence = Infer<typeof presence>;
export const presences = byId(presence);
export type WirePresences = Infer<typeof presences>;

const clientPresence = object(
  {status: openEnum('active', 'idle', 'offline'), timestamp},
  {client: s.string(), pushable: s.boolean()},
);
export type ClientPresence = Infer<typeof clientPresence>;

/** The legacy format: by client name (since level 178 only `website` and `aggregated`). */
export const legacyPresence = s.record(s.string(), clientPresence);
/** The legacy format: keyed by API e-mail. */
export const legacyPresences = s.record(s.string(), legacyPresence);
export type LegacyPresences = Infer<typeof legacyPresences>;

/** Either format, depending on the request. The current one comes second, because its schema matches anything. */
export const anyPresences = s.union([legacyPresences, presences]);
export type AnyPresences = Infer<typeof anyPresences>;

/** Returns whether a table has the legacy format, which is keyed by e-mail; an empty table does not. */
export function isLegacyPresences(table: AnyPresences): table is LegacyPresences {
  return Object.keys(table).some((key) => key.includes('@'));
}

/** The result of `GET /users/{id}/presence`: old servers send the last two keys, new ones all. */
export const singlePresence = object({...presence.entries}, {website: clientPresence, aggregated: clientPresence});
export type SinglePresence = Infer<typeof singlePresence>;

/** Converts the legacy format to the current one: the newest `active` report, and the newest report of any kind. */
export function modernPresence(legacy: Readonly<Record<string, ClientPresence>>): WirePresence {
  let active: number | undefined;
  let idle: number | undefined;
  for (const report of Object.values(legacy)) {
    // With a malformed report the table matches the current schema, which matches anything.
    if (typeof report?.timestamp !== 'number') continue;
    idle = Math.max(idle ?? report.timestamp, report.timestamp);
    if (report.status === 'active') active = Math.max(active ?? report.timestamp, report.timestamp);
  }
  return {active_timestamp: active, idle_timestamp: idle};
}

export const profileFieldTypes = {
  shortText: 1,
  paragraph: 2,
  dropdown: 3,
  date: 4,
  url: 5,
  user: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;
const profileFieldType = openIntEnum(1, 2, 3, 4, 5, 6, 7, 8);

/** A profile field. `field_data` is JSON text with the choices of a dropdown or the kind of an external account. */
export const profileField = object(
  {id: int, name: s.string(), order: int, type: profileFieldType},
  {
    hint: s.string(),
    field_data: s.string(),
    required: s.boolean(),
    editable_by_user: s.boolean(),
    display_in_profile_summary: s.boolean(),
    use_for_user_matching: s.boolean(),
  },
);
export type WireProfileField = Infer<typeof profileField>;

export const profileFieldTypeTable = s.record(s.string(), object({id: int, name: s.string()}));

export const invite = object(
  {id: int, is_multiuse: s.boolean()},
  {
    invited_by_user_id: int,
    invited: timestamp,
    expiry_date: s.nullable(timestamp),
    invited_as: role,
    email: s.string(),
    link_url: s.string(),
    notify_referrer_on_join: s.boolean(),
  },
);
export type Invite = Infer<typeof invite>;

/** The link of an invitation by e-mail. A server that sends no mail hands it to the inviter. */
export const inviteLink = object({email: s.string(), link_url: s.string()});
export type InviteLink = Infer<typeof inviteLink>;

/** What a registration's response says about the user's own account. */
export const ownAccount = {
  user_id: int,
  email: s.string(),
  delivery_email: nullableText,
  full_name: s.string(),
  avatar_url: nullableText,
  avatar_url_medium: nullableText,
  avatar_source: openEnum('G', 'U', 'J'),
  is_owner: s.boolean(),
  is_admin: s.boolean(),
  is_moderator: s.boolean(),
  is_guest: s.boolean(),
  can_create_public_streams: s.boolean(),
  can_create_private_streams: s.boolean(),
  can_create_web_public_streams: s.boolean(),
  can_create_streams: s.boolean(),
  can_invite_others_to_realm: s.boolean(),
  can_subscribe_other_users: s.boolean(),
};
