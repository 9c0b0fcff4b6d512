import {
  emitChannelCreate,
  emitChannelDelete,
  queueKnowsChannel,
} from '#server/actions/events/channel-events.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {channelsVisibleTo} from '#server/permissions/audience.ts';
import {isGuest} from '#server/permissions/has-permission.ts';

/** Runs a change of a user's role and emits an event to that user for each channel that becomes visible or hidden. */
export function trackRoleChannelAccess(act: ActionContext, user: UserRow, change: () => UserRow): UserRow {
  if (!act.server.queues.isConnected(user.id)) return change();
  const before = new Map(channelsVisibleTo(act, user).map((channel) => [channel.id, channel]));
  const changed = change();
  const after = new Map(channelsVisibleTo(act, changed).map((channel) => [channel.id, channel]));
  const to = new Set([user.id]);
  for (const [id, channel] of after) if (!before.has(id)) emitChannelCreate(act, channel, to);
  for (const [id, channel] of before) {
    if (!after.has(id)) emitChannelDelete(act, [id], to, (reader) => queueKnowsChannel(reader, channel));
  }
  if (isGuest(user) !== isGuest(changed)) emitDefaultChannels(act, changed);
  return changed;
}

/** Sends the user the list of default channels, which is empty for guests. */
function emitDefaultChannels(act: ActionContext, user: UserRow): void {
  const default_streams = isGuest(user)
    ? []
    : act.db.pluck('SELECT id FROM channel WHERE is_default = 1 AND is_archived = 0 ORDER BY id');
  act.emit({type: 'default_streams', to: [user.id], body: {default_streams}});
}
