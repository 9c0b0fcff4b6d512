import type {ActionContext} from '#server/context.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {systemBots} from '#server/organization/bootstrap.ts';
import {isAdmin} from '#server/permissions/has-permission.ts';
import {hostOf} from './user.ts';

const tokenLength = 32;

/**
 * Returns the e-mail address that posts to the channel as the actor, as a bot they manage, or as the e-mail gateway.
 */
export function channelEmail(
  act: Pick<ActionContext, 'server'>,
  actor: UserRow,
  channel: ChannelRow,
  senderId: number | undefined,
): string {
  const sender = checkedSenderId(act, actor, senderId);
  const slug = channel.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const token = act.server.secrets.sign(`channel-email:${channel.id}:${sender}`).slice(0, tokenLength);
  return `${slug === '' ? 'channel' : slug}.${token.toLowerCase()}@${hostOf(act.server)}`;
}

function checkedSenderId(
  {server}: Pick<ActionContext, 'server'>,
  actor: UserRow,
  senderId: number | undefined,
): number {
  const gateway = findUserByEmail(server.db, systemBots.emailGateway.email)?.id ?? 0;
  if (senderId === undefined || senderId === gateway) return gateway;
  if (senderId === actor.id) return actor.id;
  const sender = findUser(server.db, senderId);
  if (sender?.is_bot !== 1 || sender.is_system_bot === 1) throw badRequest('No such bot');
  if (sender.bot_owner_id !== actor.id && !isAdmin(actor)) throw badRequest('Insufficient permission');
  return sender.id;
}
