import type {ReadContext} from '#server/context.ts';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail, idOfDummyEmail} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {canSeeChannel} from '#server/permissions/channel.ts';
import {canPost, channelNotFoundError} from '#server/permissions/send-message.ts';
import {canAccessUser} from '#server/permissions/user-access.ts';
import {canSeeEmail, hostOf} from '#server/views/user.ts';

/** The `to` parameter in any of its forms: an id, a name, comma-separated addresses, or a list of ids or addresses. */
export type Addressee = number | string | readonly number[] | readonly string[];

/** Returns the channel that `to` names. A channel that the sender may not see counts as missing. */
export function resolveChannelRecipient(act: ReadContext, sender: UserRow, to: Addressee): ChannelRow {
  const list: readonly (number | string)[] = typeof to === 'object' ? to : [to];
  const [idOrName] = list;
  if (idOrName === undefined || list.length > 1) throw badRequest('Expected exactly one channel');
  const {db} = act.server;
  const channel = typeof idOrName === 'number' ? findChannel(db, idOrName) : findChannelByName(db, idOrName);
  if (channel === undefined || !(canSeeChannel(act, sender, channel) || canPost(act, sender, channel))) {
    throw channelNotFoundError(typeof idOrName === 'number' ? {stream_id: idOrName} : {stream: idOrName});
  }
  return channel;
}

/** Returns the ids of the users that `to` names. */
export function resolveUserRecipients(act: ReadContext, sender: UserRow, to: Addressee): number[] {
  const list: readonly (number | string)[] =
    typeof to === 'object' ? to : typeof to === 'number' ? [to] : to.split(',');
  const named = list.filter((entry) => typeof entry === 'number' || entry.trim() !== '');
  if (named.length === 0) throw badRequest('Message must have recipients');
  return named.map((entry) => (typeof entry === 'number' ? entry : userIdOfEmail(act, sender, entry)));
}

function userIdOfEmail(act: ReadContext, sender: UserRow, email: string): number {
  const {db} = act.server;
  const dummyId = idOfDummyEmail(email, hostOf(act.server));
  const user = dummyId === undefined ? findUserByEmail(db, email) : findUser(db, dummyId);
  // Sending to a hidden address must not reveal whether a user has it.
  const isKnown = user !== undefined && (dummyId !== undefined || canSeeEmail(sender, user));
  if (!isKnown || !canAccessUser(act, sender, user)) throw badRequest(`Invalid email '${email.trim()}'`);
  return user.id;
}
