import {hash} from 'node:crypto';
import {canonicalTimeZone} from '#server/accounts/user-settings.ts';
import type {ServerAccess, ServerContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {UserRow} from '#server/db/rows.ts';
import {botRow, dummyEmail, type UserViewRow} from '#server/db/users.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {canSeeEmail, type EmailOwner, emailVisibility, hostOf} from '#server/permissions/user-access.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import type {OwnedBot, WireBot, WireUser} from '#wire/objects/user.ts';

/** Returns the address that the API uses for a user: the real one when everyone may see it, else a dummy. */
export function apiEmail(server: ServerContext, user: EmailOwner & Pick<UserRow, 'delivery_email'>): string {
  const isPublic = user.is_bot === 1 || emailVisibility(user) === 1;
  return isPublic ? user.delivery_email : dummyEmail(user.id, hostOf(server));
}

/** Returns the URL of a user's avatar; null where the client can compute the Gravatar URL itself. */
export function avatarUrl(
  user: Pick<UserRow, 'id' | 'avatar_source' | 'avatar_version' | 'avatar_file' | 'delivery_email'>,
  options: {clientGravatar: boolean; seesEmail: boolean},
): string | null {
  if (user.avatar_source === 'U' && user.avatar_file !== null) {
    return `/user_avatars/${user.avatar_file}?v=${user.avatar_version}`;
  }
  if (options.clientGravatar && options.seesEmail) return null;
  // The address could be guessed from its hash: viewers who may not see it get an avatar made from the id.
  const name = options.seesEmail ? user.delivery_email.toLowerCase() : `user${user.id}`;
  return `https://secure.gravatar.com/avatar/${hash('md5', name)}?d=identicon&version=${user.avatar_version}`;
}

/** Returns the URL of the avatar in a larger size. Uploaded avatars have only one size. */
export function mediumAvatarUrl(url: string | null): string | null {
  return url?.startsWith('https://secure.gravatar.com/') === true ? `${url}&s=500` : url;
}

const dates = new Map<number, string>();
const twoDigits = Array.from({length: 60}, (_, number) => String(number).padStart(2, '0'));

/**
 * Formats UNIX seconds as `2026-11-15T01:30:00+00:00`. Caches the date: in a user list, many joined on the same day.
 */
function isoTime(at: number): string {
  const day = Math.floor(at / 86_400);
  const date = getOrCreate(dates, day, () => new Date(day * 86_400_000).toISOString().slice(0, 11));
  const second = at - day * 86_400;
  const minute = Math.floor(second / 60);
  return `${date}${twoDigits[Math.floor(minute / 60)]}:${twoDigits[minute % 60]}:${twoDigits[second % 60]}+00:00`;
}

/**
 * Returns a user as `viewer` may see them. Called for fifty thousand users: object spread would cost ten times as much.
 */
export function userView(
  act: ServerAccess,
  viewer: UserRow,
  user: UserViewRow,
  options: {clientGravatar: boolean; profileData?: WireUser['profile_data'] | undefined},
): WireUser {
  const seesEmail = canSeeEmail(viewer, user);
  const {role} = user;
  const view: WireUser = {
    user_id: user.id,
    delivery_email: seesEmail ? user.delivery_email : null,
    email: apiEmail(act.server, user),
    full_name: user.full_name,
    date_joined: isoTime(user.joined_at),
    is_active: user.is_active === 1,
    is_owner: role <= Role.owner,
    is_admin: role <= Role.admin,
    is_guest: role >= Role.guest,
    is_bot: user.is_bot === 1,
    bot_type: user.bot_type,
    role,
    timezone: canonicalTimeZone(user.timezone),
    avatar_url: avatarUrl(user, {clientGravatar: options.clientGravatar, seesEmail}),
    avatar_version: user.avatar_version,
    is_imported_stub: user.is_imported_stub === 1,
  };
  if (user.is_bot === 1) view.bot_owner_id = user.bot_owner_id;
  else if (options.profileData !== undefined) view.profile_data = options.profileData;
  if (user.is_deleted === 1) view.is_deleted = true;
  if (user.is_system_bot === 1) view.is_system_bot = true;
  return view;
}

/** The name of users whom a reader may not see. */
export const unknownUserName = 'Unknown user';

/** Returns the placeholder for a user that the viewer may not access, for clients that need a complete user list. */
export function unknownUserView({server}: ServerAccess, id: number): WireUser {
  return {
    user_id: id,
    delivery_email: null,
    email: dummyEmail(id, hostOf(server)),
    full_name: unknownUserName,
    date_joined: isoTime(Number(server.db.value(`SELECT value FROM meta WHERE key = 'created_at'`) ?? 0)),
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    role: Role.member,
    timezone: '',
    avatar_url: avatarUrl(
      {id, avatar_source: 'G', avatar_version: 1, avatar_file: null, delivery_email: ''},
      {clientGravatar: false, seesEmail: false},
    ),
    avatar_version: 1,
    is_imported_stub: false,
    profile_data: {},
  };
}

/** Returns the channels that a bot sends to and receives from by default. The API names them instead of giving ids. */
export function botDefaults(act: ServerAccess, botId: number) {
  const {db} = act.server;
  const row = botRow(db, botId);
  const nameOf = (id: number | null) => (id === null ? null : (findChannel(db, id)?.name ?? null));
  return {
    default_sending_stream: nameOf(row.default_sending_channel_id),
    default_events_register_stream: nameOf(row.default_events_channel_id),
    default_all_public_streams: row.default_all_public_streams === 1,
  };
}

/** Returns the fields of a bot that only its owner and administrators see, beside its user record. */
export function botView(act: ServerAccess, bot: UserRow): WireBot {
  return {user_id: bot.id, ...botDefaults(act, bot.id), services: []};
}

/** Returns a bot as its owner sees it, including the API key. */
export function ownedBotView(act: ServerAccess, bot: UserRow): OwnedBot {
  return {
    username: bot.delivery_email,
    full_name: bot.full_name,
    api_key: act.server.secrets.apiKey(bot),
    avatar_url: botAvatar(bot),
    ...botDefaults(act, bot.id),
  };
}

export function botAvatar(bot: UserRow): string | null {
  return avatarUrl(bot, {clientGravatar: false, seesEmail: true});
}
