import type {ActionContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {ChannelRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {connectedNonGuests} from '#server/permissions/audience.ts';

/** Returns the ids of the channels that new users are subscribed to. */
export function defaultChannelIds(db: Database): number[] {
  return db.pluck('SELECT id FROM channel WHERE is_default = 1 AND is_archived = 0 ORDER BY id');
}

/** Adds the channel to the default channels or removes it. Repeating it is no error, and a removal is always emitted. */
export function setDefaultChannel(act: ActionContext, channel: ChannelRow, isDefault: boolean): void {
  if (isDefault && channel.invite_only === 1) throw badRequest('Private channels cannot be made default.');
  if (isDefault && channel.is_archived === 1) throw badRequest('Channel is archived.');
  if (isDefault && channel.is_default === 1) return;
  act.db.run('UPDATE channel SET is_default = ? WHERE id = ?', isDefault ? 1 : 0, channel.id);
  emitDefaultChannels(act);
}

export function emitDefaultChannels(act: ActionContext): void {
  act.emit({
    type: 'default_streams',
    to: connectedNonGuests(act),
    body: {default_streams: defaultChannelIds(act.db)},
  });
}
