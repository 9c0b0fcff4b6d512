import {
  type ChannelUpdate,
  emitChannelDelete,
  emitChannelsVisible,
  emitChannelUpdate,
} from '#server/actions/events/channel-events.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow} from '#server/db/rows.ts';
import {audienceIds, channelAudience} from '#server/permissions/audience.ts';

export type ChannelColumns = Partial<Omit<ChannelRow, 'id'>>;

/**
 * Writes columns of a channel and emits events: users who see the channel before and after get the updates, users for
 * whom this change shows or hides it get it created or deleted.
 */
export function writeChannelChanges(
  act: ActionContext,
  channel: ChannelRow,
  columns: ChannelColumns,
  updates: readonly ChannelUpdate[],
): ChannelRow {
  const before = channelAudience(act, channel);
  const names = Object.keys(columns);
  act.db.run(
    `UPDATE channel SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    ...Object.values(columns),
    channel.id,
  );
  const changed = findChannel(act.db, channel.id) ?? channel;
  const after = channelAudience(act, changed);
  if (before === 'everyone' && after === 'everyone') {
    for (const update of updates) emitChannelUpdate(act, channel, update, 'everyone');
    return changed;
  }
  const viewersBefore = audienceIds(act, before);
  const viewersAfter = audienceIds(act, after);
  const gained = viewersAfter.difference(viewersBefore);
  if (gained.size > 0) emitChannelsVisible(act, [changed], gained);
  const lost = viewersBefore.difference(viewersAfter);
  if (lost.size > 0) emitChannelDelete(act, [channel], lost);
  const viewersThroughout = viewersBefore.intersection(viewersAfter);
  for (const update of updates) emitChannelUpdate(act, channel, update, viewersThroughout);
  return changed;
}
