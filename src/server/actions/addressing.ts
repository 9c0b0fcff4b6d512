import type {ReadContext} from '#server/context.ts';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail, idOfDummyEmail} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {canSeeChannel} from '#server/permissions/channel.ts';
import {canPost, channelNotFoundError} from '#server/permissions/send-message.ts';
import {canAccessUser} from '#server/permissions/user-access.ts';
import {canSeeEmail, hostOf} from '#server/views/user.ts';

/** `to` in any of its spellings: id, name, addresses with commas between them, lists of ids or of addresses. */
export type Addressee = number | string | readonly number[] | readonly string[];

/** The channel meant. One that the sender may not know of does not exist. */
export function resolveChannelRecipient(act: ReadContext, sender: UserRow, to: Addressee): ChannelRow {
  const list: readonly (number | string)[] = typeof to === 'object' ? to : [to];
  const [asked] = list;
  if (asked === undefined || list.length > 1) throw badRequest('Expected exactly one channel');
  const {db} = act.server;
  const channel = typeof asked === 'number' ? findChannel(db, asked) : findChannelByName(db, asked);
  if (channel === undefined || !(canSeeChannel(act, sender, channel) || canPost(act, sender, channel))) {
    throw channelNotFoundError(typeof asked === 'number' ? {stream_id: asked} : {stream: asked});
  }
  return channel;
}

/** The ids of the people meant. */
export function resolveUserRecipients(act: ReadContext, sender: UserRow, to: Addressee): number[] {
  const list: readonly (number | string)[] =
    typeof to === 'object' ? to : typeof to === 'number' ? [to] : to.split(',');
  const named = list.filter((entry) => typeof entry === 'number' || entry.trim() !== '');
  if (named.length === 0) throw badRequest('Message must have recipients');
  return named.map((entry) => (typeof entry === 'number' ? entry : personAt(act, sender, entry)));
}

function personAt(act: ReadContext, sender: UserRow, email: string): number {
  const {db} = act.server;
  const dummyId = idOfDummyEmail(email, hostOf(act.server));
  const user = dummyId === undefined ? findUserByEmail(db, email) : findUser(db, dummyId);
  // Whether a hidden address belongs to somebody must not be found out by writing to it.
  const isKnown = user !== undefined && (dummyId !== undefined || canSeeEmail(sender, user));
  if (!isKnown || !canAccessUser(act, sender, user)) throw badRequest(`Invalid email '${email.trim()}'`);
  return user.id;
}
