import {
  emitChannelCreate,
  emitChannelDelete,
  queueKnowsChannel,
} from '#server/actions/events/channel-events.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {channelsVisibleTo} from '#server/permissions/audience.ts';
import {isGuest} from '#server/permissions/has-permission.ts';

/** Runs a change of somebody's role and tells them which channels they can now see, or no longer. */
export function trackRoleChannelAccess(act: ActionContext, user: UserRow, change: () => UserRow): UserRow {
  if (!act.world.queues.isConnected(user.id)) return change();
  const before = new Map(channelsVisibleTo(act, user).map((channel) => [channel.id, channel]));
  const person = change();
  const after = new Map(channelsVisibleTo(act, person).map((channel) => [channel.id, channel]));
  const to = new Set([user.id]);
  for (const [id, channel] of after) if (!before.has(id)) emitChannelCreate(act, channel, to);
  for (const [id, channel] of before) {
    if (!after.has(id)) emitChannelDelete(act, [id], to, (reader) => queueKnowsChannel(reader, channel));
  }
  if (isGuest(user) !== isGuest(person)) emitDefaultChannels(act, person);
  return person;
}

/** Guests are shown none. */
function emitDefaultChannels(act: ActionContext, person: UserRow): void {
  const default_streams = isGuest(person)
    ? []
    : act.db.pluck('SELECT id FROM channel WHERE is_default = 1 AND is_archived = 0 ORDER BY id');
  act.emit({type: 'default_streams', to: [person.id], body: {default_streams}});
}
