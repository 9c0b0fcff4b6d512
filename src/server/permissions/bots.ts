import type {ActionContext, ReadContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {botTypes} from '#wire/objects/user.ts';
import {hasMemberPermission, isAdmin, isGuest, isOwner, organization} from './has-permission.ts';

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
  if (bot === undefined || bot.is_bot === 0 || bot.is_system_bot === 1) throw badRequest('No such bot');
  if (!canManageBot(user, bot)) throw badRequest('Insufficient permission');
  return bot;
}

/** Returns the users who receive a bot's private details: administrators and the bot's owner. */
export function botAudience(act: Pick<ActionContext, 'db'>, ownerId: number | null): Set<number> {
  const admins = act.db.pluck('SELECT id FROM user WHERE role <= 200 AND is_active = 1');
  return new Set(ownerId === null ? admins : [...admins, ownerId]);
}
