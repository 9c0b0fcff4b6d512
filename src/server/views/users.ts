import type {ActionContext, ReadContext, ServerAccess, ServerContext} from '#server/context.ts';
import type {Ids, UserRow} from '#server/db/rows.ts';
import {listUsers} from '#server/db/users.ts';
import {compiledLinkifiers} from '#server/markdown-renderer.ts';
import {
  hasPermission,
  isAdmin,
  isGuest,
  isModerator,
  isOwner,
  organization,
} from '#server/permissions/has-permission.ts';
import {accessibleUserIds} from '#server/permissions/user-access.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import {
  type OwnUser,
  type ProfileData,
  profileFieldTypes,
  type WireProfileValue,
  type WireUser,
} from '#wire/objects/user.ts';
import {apiEmail, avatarUrl, mediumAvatarUrl, unknownUserView, userView} from './user.ts';

interface UserListOptions {
  readonly clientGravatar: boolean;
  readonly profileData: boolean;
  /** The users to list; undefined means all. */
  readonly ids?: Ids | undefined;
  /** Whether users that the viewer may not access are listed as unknown users instead of left out. */
  readonly placeholders: boolean;
}

/** Returns the users and bots of the organization, active or not, as `viewer` may see them, with a few queries. */
export function userViews(act: ReadContext, viewer: UserRow, options: UserListOptions): WireUser[] {
  const {clientGravatar, ids, placeholders} = options;
  const allowed = accessibleUserIds(act, viewer);
  const profiles = options.profileData ? profileDataByUser(act, ids) : undefined;
  const views: WireUser[] = [];
  for (const user of listUsers(act.server.db, ids)) {
    if (allowed === 'everyone' || allowed.has(user.id)) {
      const profileData = profiles === undefined ? undefined : (profiles.get(user.id) ?? {});
      views.push(userView(act, viewer, user, {clientGravatar, profileData}));
    } else if (placeholders) {
      views.push(unknownUserView(act, user.id));
    }
  }
  return views;
}

/** Returns the server's system bots. */
export function systemBotViews(act: ServerAccess, viewer: UserRow, options: {clientGravatar: boolean}): WireUser[] {
  return act.server.db
    .all<UserRow>('SELECT * FROM user WHERE is_system_bot = 1 ORDER BY id')
    .map((bot) => userView(act, viewer, bot, options));
}

/** Returns the user's own record for `GET /users/me`. */
export function ownUserView(act: ActionContext, user: UserRow): OwnUser {
  const profileData = profileDataByUser(act, [user.id]).get(user.id) ?? {};
  return {
    ...userView(act, user, user, {clientGravatar: false, profileData}),
    max_message_id: newestReceived(act, user.id),
  };
}

/** Returns the id of the newest message a user received, or -1. */
function newestReceived({db}: ActionContext, userId: number): number {
  const sql = `SELECT MAX(newest) FROM (
       SELECT (SELECT MAX(m.id) FROM message AS m WHERE m.channel_id = p.channel_id
                 AND m.id >= p.since_id AND (p.until_id IS NULL OR m.id < p.until_id)) AS newest
         FROM subscription_period AS p WHERE p.user_id = ?1
       UNION ALL
       SELECT (SELECT MAX(m.id) FROM message AS m WHERE m.dm_id = d.dm_id) FROM dm_member AS d WHERE d.user_id = ?1
     )`;
  const newest = db.value<number | null>(sql, userId);
  return newest ?? -1;
}

/** Returns the top-level keys of a registration's response that describe the user's own account. */
export function ownAccountView(act: ReadContext, user: UserRow): Record<string, unknown> {
  const settings = organization(act);
  const isAllowed = (setting: Parameters<typeof hasPermission>[2]) =>
    !isGuest(user) && hasPermission(act, user, setting);
  const createPublic = isAllowed(settings.can_create_public_channel_group);
  const createPrivate = isAllowed(settings.can_create_private_channel_group);
  const url = avatarUrl(user, {clientGravatar: false, seesEmail: true});
  return {
    user_id: user.id,
    email: apiEmail(act.server, user),
    delivery_email: user.delivery_email,
    full_name: user.full_name,
    avatar_url: url,
    avatar_url_medium: mediumAvatarUrl(url),
    avatar_source: user.avatar_source,
    is_owner: isOwner(user),
    is_admin: isAdmin(user),
    is_moderator: isModerator(user),
    is_guest: isGuest(user),
    can_create_public_streams: createPublic,
    can_create_private_streams: createPrivate,
    can_create_web_public_streams:
      settings.enable_spectator_access && isAllowed(settings.can_create_web_public_channel_group),
    can_create_streams: createPublic || createPrivate,
    can_invite_others_to_realm: isAllowed(settings.can_invite_users_group),
  };
}

type ValueRow = readonly [userId: number, fieldId: number, value: string, type: number];

/** Returns whether the values of a field type are Markdown. */
export function isRendered(type: number): boolean {
  return type === profileFieldTypes.shortText || type === profileFieldTypes.paragraph;
}

/** Matches letters, digits and spaces on one line: text without Markdown and with nothing to escape. */
const plainText = /^\p{L}(?:[\p{L}\p{N} ,-]*[\p{L}\p{N}])?$/u;

/** Returns whether the HTML of the values follows from their text and the linkifiers alone. */
export function isPlainProfile(data: ProfileData = {}): boolean {
  return Object.values(data).every(({value, rendered_value}) => rendered_value === undefined || plainText.test(value));
}

/**
 * Returns a function that renders values of text fields. A registration can contain fifty thousand of them: values
 * that repeat (departments, towns) are rendered once; most others are plain words, which only linkifiers could change.
 */
function valueRenderer({renderer, derivedFacts}: ServerContext): (text: string) => string {
  const htmlByText = new Map<string, string>();
  const hasLinkifiers = derivedFacts.get(compiledLinkifiers).length > 0;
  return (text) => {
    if (!hasLinkifiers && plainText.test(text)) return `<p>${text}</p>`;
    return getOrCreate(htmlByText, text, () => renderer.descriptionHtml(text));
  };
}

/**
 * Returns the custom profile field values by user id, of all users or of `userIds`. Users without values are absent.
 */
export function profileDataByUser({server}: ServerAccess, userIds?: Ids): ReadonlyMap<number, ProfileData> {
  const chosen = userIds === undefined ? '' : 'WHERE v.user_id IN (SELECT value FROM json_each(?))';
  // Fetching one JSON text is several times faster than fetching a hundred thousand rows.
  const sql = `SELECT json_group_array(json_array(v.user_id, v.field_id, v.value, f.type)) FROM profile_value AS v
     JOIN profile_field AS f ON f.id = v.field_id ${chosen}`;
  const text = server.db.value<string>(sql, ...(userIds === undefined ? [] : [JSON.stringify(userIds)]));
  const rows: readonly ValueRow[] = JSON.parse(text ?? '[]');
  const render = valueRenderer(server);
  const byUser = new Map<number, Record<string, WireProfileValue>>();
  for (const [userId, fieldId, value, type] of rows) {
    const data = getOrCreate<number, Record<string, WireProfileValue>>(byUser, userId, () => ({}));
    data[fieldId] = isRendered(type) ? {value, rendered_value: render(value)} : {value};
  }
  return byUser;
}
