import {
  emitChannelCreate,
  emitChannelDelete,
  emitPeerAdd,
  emitPeerRemove,
  emitSubscriptionAdd,
  emitSubscriptionRemove,
  subscriberIds,
} from '#server/actions/events/channel-events.ts';
import {trackUserAccess} from '#server/actions/events/user-events.ts';
import type {ActionContext} from '#server/context.ts';
import {channelSubscribers, findChannel} from '#server/db/channels.ts';
import {nextMessageId} from '#server/db/messages.ts';
import {type ChannelRow, Flag, type UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {connectedPeople} from '#server/permissions/audience.ts';
import {isChannelVisible, subscriptionOf} from '#server/permissions/channel.ts';
import {batches} from '#std/batches.ts';
import {unusedColors} from './subscription-colors.ts';

export interface SubscribeUsersResult {
  readonly added: number[];
  readonly already: number[];
}

/**
 * Subscribes users without a permission check and emits the events. Set-based: subscribing a whole organization takes a
 * handful of statements. Users who subscribe again have their former settings for the channel.
 */
export function subscribeUsers(
  act: ActionContext,
  _actor: UserRow | undefined,
  channel: ChannelRow,
  userIds: readonly number[],
  options: {color?: string | undefined} = {},
): SubscribeUsersResult {
  const current = act.server.derivedFacts.get(channelSubscribers(channel.id));
  const requested = [...new Set(userIds)];
  const already = requested.filter((id) => current.has(id));
  const added = requested.filter((id) => !current.has(id));
  if (added.length === 0) return {added, already};
  const newViewers = connectedWithoutAccess(act, channel, new Set(added));
  trackUserAccess(act, () => writeSubscriptions(act, channel, added, options.color));
  emitAdded(act, channel, added, newViewers);
  return {added, already};
}

/** The users that one action subscribes or unsubscribes. */
const usersPerSlice = 2000;

/** Same as `subscribeUsers`, in slices. After a crash some users are subscribed, and the request can be repeated. */
export function* subscribeInSlices(
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow,
  userIds: readonly number[],
  options: {color?: string | undefined} = {},
): Generator<void, SubscribeUsersResult> {
  const result: SubscribeUsersResult = {added: [], already: []};
  for (const batch of batches(userIds, usersPerSlice)) {
    // Somebody may have been deactivated in a pause.
    const ids = act.db.pluck(
      'SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM user WHERE id = value AND is_active = 1)',
      JSON.stringify(batch),
    );
    const {added, already} = subscribeUsers(act, actor, findChannel(act.db, channel.id) ?? channel, ids, options);
    result.added.push(...added);
    result.already.push(...already);
    yield;
  }
  return result;
}

function writeSubscriptions(
  act: ActionContext,
  channel: ChannelRow,
  added: readonly number[],
  color: string | undefined,
): void {
  const {db, server} = act;
  const colors = color === undefined ? unusedColors(act, added) : undefined;
  const rows = added.map((id) => [id, color ?? colors?.get(id)]);
  const since = nextMessageId(db);
  db.run(
    `INSERT INTO subscription (user_id, channel_id, color, push_notifications, unread_since)
     SELECT value ->> 0, ?2, value ->> 1, ?3, ?4 FROM json_each(?1) WHERE true
     ON CONFLICT (user_id, channel_id) DO UPDATE SET active = 1, unread_since = excluded.unread_since`,
    JSON.stringify(rows),
    channel.id,
    channel.default_push_notifications === 1 ? 1 : null,
    since,
  );
  db.run(
    `INSERT INTO subscription_period (user_id, channel_id, since_id)
     SELECT value, ?2, ?3 FROM json_each(?1) WHERE true
     ON CONFLICT (user_id, channel_id, since_id) DO UPDATE SET until_id = NULL`,
    JSON.stringify(added),
    channel.id,
    since,
  );
  countSubscribers(act, channel.id, added.length);
  server.derivedFacts.invalidate(channelSubscribers(channel.id));
}

function countSubscribers({db}: ActionContext, channelId: number, change: number): void {
  db.run('UPDATE channel SET subscriber_count = subscriber_count + ? WHERE id = ?', change, channelId);
}

/** Returns the connected users among these who cannot see the channel without a subscription. */
function connectedWithoutAccess(act: ActionContext, channel: ChannelRow, among: ReadonlySet<number>): Set<number> {
  const withoutAccess = new Set<number>();
  for (const person of connectedPeople(act)) {
    if (among.has(person.id) && !isChannelVisible(act, person, channel, () => false)) withoutAccess.add(person.id);
  }
  return withoutAccess;
}

/** Emits with the channel as it was: its number of subscribers is that from before, beside the complete list. */
function emitAdded(act: ActionContext, channel: ChannelRow, added: readonly number[], newViewers: Set<number>): void {
  emitChannelCreate(act, channel, newViewers);
  const connected = added.filter((id) => act.server.queues.isConnected(id));
  const list = connected.length === 0 ? [] : subscriberIds(act, channel.id);
  for (const id of connected) {
    const user = findUser(act.db, id);
    const subscription = subscriptionOf(act, id, channel.id);
    if (user === undefined || subscription === undefined) continue;
    emitSubscriptionAdd(act, user, channel, subscription, {subscribers: list});
  }
  emitPeerAdd(act, channel, added);
}

/** Unsubscribes users, marks their messages of the channel read, and returns the ids of those who were subscribed. */
export function unsubscribeUsers(act: ActionContext, channel: ChannelRow, userIds: readonly number[]): number[] {
  const current = act.server.derivedFacts.get(channelSubscribers(channel.id));
  const removed = [...new Set(userIds)].filter((id) => current.has(id));
  if (removed.length === 0) return [];
  trackUserAccess(act, () => endSubscriptions(act, channel, removed));
  emitSubscriptionRemove(act, channel, removed);
  const lost = connectedWithoutAccess(act, channel, new Set(removed));
  if (lost.size > 0) emitChannelDelete(act, [channel.id], lost);
  emitPeerRemove(act, channel, removed);
  return removed;
}

/** Same as `unsubscribeUsers`, in slices, and returns whether a user was subscribed. */
export function* unsubscribeInSlices(
  act: ActionContext,
  channel: ChannelRow,
  userIds: readonly number[],
): Generator<void, boolean> {
  let removedCount = 0;
  for (const ids of batches(userIds, usersPerSlice)) {
    removedCount += unsubscribeUsers(act, findChannel(act.db, channel.id) ?? channel, ids).length;
    yield;
  }
  return removedCount > 0;
}

function endSubscriptions(act: ActionContext, channel: ChannelRow, removed: readonly number[]): void {
  const {db, server} = act;
  const ids = JSON.stringify(removed);
  db.run(
    `UPDATE subscription SET active = 0
     WHERE channel_id = ? AND user_id IN (SELECT value FROM json_each(?))`,
    channel.id,
    ids,
  );
  db.run(
    `UPDATE subscription_period SET until_id = ?
     WHERE channel_id = ? AND user_id IN (SELECT value FROM json_each(?)) AND until_id IS NULL`,
    nextMessageId(db),
    channel.id,
    ids,
  );
  markChannelRead(act, channel.id, ids);
  countSubscribers(act, channel.id, -removed.length);
  server.derivedFacts.invalidate(channelSubscribers(channel.id));
}

/** Clears the unread flags of the channel's messages: only subscribed channels have unread messages. */
function markChannelRead({db}: ActionContext, channelId: number, userIds: string): void {
  const unread = `user_id IN (SELECT value FROM json_each(?1)) AND flags & ${Flag.unread}
    AND EXISTS (SELECT 1 FROM message WHERE message.id = message_id AND message.channel_id = ?2)`;
  db.run(`DELETE FROM user_message WHERE flags = ${Flag.unread} AND ${unread}`, userIds, channelId);
  db.run(`UPDATE user_message SET flags = flags & ~${Flag.unread} WHERE ${unread}`, userIds, channelId);
}
