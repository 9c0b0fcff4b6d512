import type {ActionContext} from '#server/context.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {systemBots} from '#server/organization/bootstrap.ts';
import {hostOf} from './user.ts';

const tokenLength = 32;

/** The address that posts to the channel in the name of the person, a bot of theirs, or the e-mail gateway. */
export function channelEmail(
  act: Pick<ActionContext, 'world'>,
  actor: UserRow,
  channel: ChannelRow,
  senderId: number | undefined,
): string {
  const sender = senderOf(act, actor, senderId);
  const word = channel.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const token = act.world.secrets.sign(`channel-email:${channel.id}:${sender}`).slice(0, tokenLength);
  return `${word === '' ? 'channel' : word}.${token.toLowerCase()}@${hostOf(act.world)}`;
}

function senderOf(
  {world}: Pick<ActionContext, 'world'>,
  actor: UserRow,
  senderId: number | undefined,
): number {
  const gateway = findUserByEmail(world.db, systemBots.emailGateway.email)?.id ?? 0;
  if (senderId === undefined || senderId === gateway) return gateway;
  if (senderId === actor.id) return actor.id;
  const sender = findUser(world.db, senderId);
  if (sender?.is_bot === 1 && sender.is_active === 1 && sender.bot_owner_id === actor.id) return sender.id;
  throw badRequest('Invalid sender ID');
}
