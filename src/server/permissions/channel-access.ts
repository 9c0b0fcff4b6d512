import type {ReadContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {canReadChannel, canSeeChannel} from './channel.ts';

/** The channel, if the person may know of it. Unknown and hidden look the same. */
export function requireVisibleChannel(act: ReadContext, user: UserRow, id: number): ChannelRow {
  const channel = findChannel(act.server.db, id);
  if (channel === undefined || !canSeeChannel(act, user, channel)) throw badRequest('Invalid channel ID');
  return channel;
}

/** The channel, if the person may read it. */
export function requireReadableChannel(act: ReadContext, user: UserRow, id: number): ChannelRow {
  const channel = findChannel(act.server.db, id);
  if (channel === undefined || !canReadChannel(act, user, channel)) throw badRequest('Invalid channel ID');
  return channel;
}
