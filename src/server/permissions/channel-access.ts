import type {ReadContext} from '#server/context.ts';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {canReadChannel, canSeeChannel} from './channel.ts';

/** Returns the channel if the user may see it. The error is the same for an unknown and a hidden channel. */
export function requireVisibleChannel(act: ReadContext, user: UserRow, id: number): ChannelRow {
  const channel = findChannel(act.server.db, id);
  if (channel === undefined || !canSeeChannel(act, user, channel)) throw badRequest('Invalid channel ID');
  return channel;
}

/** Returns the channel if the user may read its messages; throws otherwise. */
export function requireReadableChannel(act: ReadContext, user: UserRow, id: number): ChannelRow {
  const channel = findChannel(act.server.db, id);
  if (channel === undefined || !canReadChannel(act, user, channel)) throw badRequest('Invalid channel ID');
  return channel;
}

/** Returns the channel with the name if it is not archived and the user may read its messages; throws otherwise. */
export function requireReadableChannelByName(act: ReadContext, user: UserRow, name: string): ChannelRow {
  const channel = findChannelByName(act.server.db, name);
  if (channel === undefined || channel.is_archived === 1 || !canReadChannel(act, user, channel)) {
    throw badRequest(`Invalid channel name '${name}'`);
  }
  return channel;
}

/** Returns the channel unless it is archived; the error is that of an unknown channel. */
export function requireActive(channel: ChannelRow): ChannelRow {
  if (channel.is_archived === 1) throw badRequest('Invalid channel ID');
  return channel;
}
