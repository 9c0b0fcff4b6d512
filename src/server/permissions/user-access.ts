import type {ActionContext, ReadContext, ServerContext} from '#server/context.ts';
import type {IdSet, UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail, idOfDummyEmail, type UserViewRow} from '#server/db/users.ts';
import {check, required} from '#server/errors.ts';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import {botTypes} from '#wire/objects/user.ts';
import {
  hasMemberPermission,
  hasPermission,
  isAdmin,
  isGuest,
  isModerator,
  isOwner,
  organization,
} from './has-permission.ts';
import {isSpectator} from './spectator.ts';

/** Returns whether the viewer sees all users of the organization, which is the default. */
function canSeeAllUsers(act: ReadContext, viewer: UserRow): boolean {
  const group = organization(act).can_access_all_users_group;
  return group === SystemGroup.everyone || hasPermission(act, viewer, group);
}

/** Returns whether the organization hides some users from others. */
export function isUserAccessLimited(act: ReadContext): boolean {
  return organization(act).can_access_all_users_group !== SystemGroup.everyone;
}

const shared = /* sql */ `
  SELECT 1 WHERE EXISTS (
    SELECT 1 FROM subscription AS mine JOIN subscription AS theirs ON theirs.channel_id = mine.channel_id
    WHERE mine.user_id = ?1 AND mine.active = 1 AND theirs.user_id = ?2 AND theirs.active = 1
  ) OR EXISTS (
    SELECT 1 FROM dm_member AS mine JOIN dm_member AS theirs ON theirs.dm_id = mine.dm_id
    WHERE mine.user_id = ?1 AND theirs.user_id = ?2
  )`;

/**
 * Returns whether `viewer` may know that `target` exists. Limited viewers see bots and users who share a conversation
 * with them.
 */
export function canAccessUser(act: ReadContext, viewer: UserRow, target: UserViewRow): boolean {
  if (viewer.id === target.id || target.is_bot === 1 || canSeeAllUsers(act, viewer)) return true;
  return act.server.db.get(shared, viewer.id, target.id) !== undefined;
}

/** Returns the ids of the users that `viewer` may see, with one query; `everyone` when no user is hidden. */
export function accessibleUserIds(act: ReadContext, viewer: UserRow): 'everyone' | IdSet {
  if (canSeeAllUsers(act, viewer)) return 'everyone';
  const {db} = act.server;
  const sql = `SELECT theirs.user_id FROM subscription AS mine
       JOIN subscription AS theirs ON theirs.channel_id = mine.channel_id AND theirs.active = 1
       WHERE mine.user_id = ?1 AND mine.active = 1
     UNION SELECT theirs.user_id FROM dm_member AS mine JOIN dm_member AS theirs ON theirs.dm_id = mine.dm_id
       WHERE mine.user_id = ?1
     UNION SELECT id FROM user WHERE is_bot = 1
     UNION SELECT ?1`;
  const ids = db.pluck(sql, viewer.id);
  return new Set(ids);
}

/** Returns the user if `viewer` may see them. */
export function requireAccessibleUser(act: ReadContext, viewer: UserRow, id: number): UserRow {
  const user = required(findUser(act.server.db, id), 'No such user');
  check(canAccessUser(act, viewer, user), 'Insufficient permission');
  return user;
}

/** Returns a user who is neither a bot nor deactivated. */
export function requireActivePerson(act: ReadContext, viewer: UserRow, id: number): UserRow {
  const user = findUser(act.server.db, id);
  check(user !== undefined && user.is_bot !== 1, 'No such user');
  check(user.is_active !== 0, 'User is deactivated');
  return requireAccessibleUser(act, viewer, id);
}

/** Finds a user by an address that `viewer` may see, or by the dummy address that every user has. */
export function requireAccessibleUserByEmail(act: ReadContext, viewer: UserRow, email: string): UserRow {
  const id = idOfDummyEmail(email, hostOf(act.server));
  if (id !== undefined) return requireAccessibleUser(act, viewer, id);
  const user = findUserByEmail(act.server.db, email);
  check(user !== undefined && canSeeEmail(viewer, user), 'No such user');
  return requireAccessibleUser(act, viewer, user.id);
}

export function requireAdmin(user: UserRow): void {
  check(isAdmin(user), 'Insufficient permission');
}

/** Incoming webhooks only write, so an organization may let more users create them than other bots. */
export function canCreateBot(act: ReadContext, user: UserRow, type: number): boolean {
  if (isGuest(user) || user.is_bot === 1) return false;
  const settings = organization(act);
  if (hasMemberPermission(act, user, settings.can_create_bots_group)) return true;
  return type === botTypes.incomingWebhook && hasMemberPermission(act, user, settings.can_create_write_only_bots_group);
}

/** A bot with the owner role is managed only by its own owner and by organization owners. */
function canManageBot(user: UserRow, bot: UserRow): boolean {
  if (bot.bot_owner_id === user.id) return true;
  return isAdmin(user) && (!isOwner(bot) || isOwner(user));
}

/** Returns the bot if `user` may manage it; throws otherwise. */
export function requireManagedBot(act: Pick<ActionContext, 'db'>, user: UserRow, id: number): UserRow {
  const bot = findUser(act.db, id);
  check(bot !== undefined && bot.is_bot !== 0 && bot.is_system_bot !== 1, 'No such bot');
  check(canManageBot(user, bot), 'Insufficient permission');
  return bot;
}

/** Returns the users who receive a bot's private details: administrators and the bot's owner. */
export function botAudience(act: Pick<ActionContext, 'db'>, ownerId: number | null): Set<number> {
  const admins = act.db.pluck('SELECT id FROM user WHERE role <= 200 AND is_active = 1');
  return new Set(ownerId === null ? admins : [...admins, ownerId]);
}

export type EmailOwner = Pick<UserRow, 'id' | 'is_bot' | 'settings'>;

const visibilityKey = 'email_address_visibility';

/** Returns who may see the user's e-mail address. Parses the settings only when needed: user lists call it for each. */
export function emailVisibility({settings}: Pick<UserRow, 'settings'>): number {
  return settings.includes(visibilityKey) ? (JSON.parse(settings)[visibilityKey] ?? 1) : 1;
}

/** Returns whether `viewer` may see the real address of `target`, by the setting of `target`. */
export function canSeeEmail(viewer: UserRow, target: EmailOwner): boolean {
  if (target.is_bot === 1 || viewer.id === target.id) return true;
  return canSeeEmailAt(viewer, emailVisibility(target));
}

/** Returns whether `viewer` may see the address of somebody else with this value of `email_address_visibility`. */
export function canSeeEmailAt(viewer: UserRow, visibility: number): boolean {
  if (isSpectator(viewer)) return false;
  switch (visibility) {
    case 1: // everyone
      return true;
    case 2: // members
      return !isGuest(viewer);
    case 3: // administrators
      return isAdmin(viewer);
    case 5: // moderators
      return isModerator(viewer);
    default:
      return false;
  }
}

const hosts = new Map<string, string>();

/** Returns the host name of the server's URL, which dummy addresses and bot addresses use. */
export function hostOf({url}: ServerContext): string {
  return getOrCreate(hosts, url, () => new URL(url).hostname);
}
