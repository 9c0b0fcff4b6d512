import {
  emitChannelCreate,
  emitChannelDelete,
  emitPeers,
  emitSubscriptionAdd,
  emitSubscriptionRemove,
  type NewSubscription,
  type PeerChange,
  subscriberIds,
} from '#server/actions/events/channel-events.ts';
import {trackUserAccess} from '#server/actions/events/user-events.ts';
import {emitFlagChange} from '#server/actions/messages/change-flags.ts';
import type {ActionContext} from '#server/context.ts';
import {channelSubscribers, findChannel} from '#server/db/channels.ts';
import {nextMessageId} from '#server/db/messages.ts';
import {type ChannelRow, Flag, type IdSet, type Ids} from '#server/db/rows.ts';
import {unreadInChannels} from '#server/db/unread-messages.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest} from '#server/errors.ts';
import {connectedPeople, isChannelVisible, subscribersOf, subscriptionOf} from '#server/permissions/channel.ts';
import {batches} from '#std/batches.ts';

interface SubscribeUsersResult {
  readonly channel: ChannelRow;
  readonly added: Ids;
  readonly already: Ids;
}

/**
 * Subscribes users to channels without a permission check and emits the events. Set-based: subscribing a whole
 * organization takes a handful of statements. Users who subscribe again have their former settings for the channel.
 */
export function subscribeUsers(
  act: ActionContext,
  requested: readonly RequestedSubscription[],
  userIds: Ids,
): SubscribeUsersResult[] {
  const ids = [...new Set(userIds)];
  const results: SubscribeUsersResult[] = [];
  const newViewers = new Map<ChannelRow, Set<number>>();
  // The channels as they were: the number of subscribers in the events is that from before, beside the complete list.
  trackUserAccess(act, () => {
    for (const {channel, color} of requested) {
      const current = subscribersOf(act, channel.id);
      const already = ids.filter((id) => current.has(id));
      const added = ids.filter((id) => !current.has(id));
      results.push({channel, added, already});
      if (added.length === 0) continue;
      newViewers.set(channel, connectedWithoutAccess(act, channel, new Set(added)));
      writeSubscriptions(act, channel, added, color);
    }
    for (const [channel, viewers] of newViewers) emitChannelCreate(act, channel, viewers);
    emitOwnSubscriptions(act, results);
  });
  emitPeers(act, 'peer_add', changesOf(results));
  return results;
}

function changesOf(results: readonly SubscribeUsersResult[]): PeerChange[] {
  return results.filter(({added}) => added.length > 0).map(({channel, added}) => ({channel, userIds: added}));
}

type RequestedSubscription = {readonly channel: ChannelRow; readonly color?: string | undefined};

/** The channels, and the subscriptions, that one action writes. */
const channelsPerSlice = 100;
const subscriptionsPerSlice = 2000;

/** Yields the portions of a request about channels and users; the first of most requests is the only one. */
function* slicesOf<T>(channels: readonly T[], userIds: Ids): Generator<[T[], number[]]> {
  for (const part of batches(channels, channelsPerSlice)) {
    for (const ids of batches(userIds, Math.ceil(subscriptionsPerSlice / part.length))) yield [part, ids];
  }
}

/** Same as `subscribeUsers`, in slices. After a crash some users are subscribed, and the request can be repeated. */
export function* subscribeInSlices(
  act: ActionContext,
  requested: readonly RequestedSubscription[],
  userIds: Ids,
): Generator<void, SubscribeUsersResult[]> {
  const results: SubscribeUsersResult[] = [];
  for (const [part, batch] of slicesOf(requested, userIds)) {
    // Somebody may have been deactivated in a pause.
    const sql = 'SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM user WHERE id = value AND is_active = 1)';
    const ids = act.db.pluck(sql, JSON.stringify(batch));
    const current = part.map((item) => ({...item, channel: currentRow(act, item.channel)}));
    const changes = subscribeUsers(act, current, ids);
    results.push(...part.map(({channel}, index) => ({added: [], already: [], ...changes[index], channel})));
    yield;
  }
  return results;
}

function currentRow({db}: ActionContext, channel: ChannelRow): ChannelRow {
  return findChannel(db, channel.id) ?? channel;
}

function writeSubscriptions(act: ActionContext, channel: ChannelRow, added: Ids, color: string | undefined): void {
  const {db, server} = act;
  const colors = color === undefined ? unusedColors(act, added) : undefined;
  const rows = added.map((id) => [id, color ?? colors?.get(id)]);
  const since = nextMessageId(db);
  const sql = `INSERT INTO subscription (user_id, channel_id, color, push_notifications, unread_since)
     SELECT value ->> 0, ?2, value ->> 1, ?3, ?4 FROM json_each(?1) WHERE true
     ON CONFLICT (user_id, channel_id) DO UPDATE SET active = 1, unread_since = excluded.unread_since`;
  db.run(sql, JSON.stringify(rows), channel.id, channel.default_push_notifications === 1 ? 1 : null, since);
  const insert = `INSERT INTO subscription_period (user_id, channel_id, since_id)
     SELECT value, ?2, ?3 FROM json_each(?1) WHERE true
     ON CONFLICT (user_id, channel_id, since_id) DO UPDATE SET until_id = NULL`;
  db.run(insert, JSON.stringify(added), channel.id, since);
  countSubscribers(act, channel.id, added.length);
  server.derivedFacts.invalidate(channelSubscribers(channel.id));
}

function countSubscribers({db}: ActionContext, channelId: number, change: number): void {
  db.run('UPDATE channel SET subscriber_count = subscriber_count + ? WHERE id = ?', change, channelId);
}

/** Returns the connected users among these who cannot see the channel without a subscription. */
function connectedWithoutAccess(act: ActionContext, channel: ChannelRow, among: IdSet): Set<number> {
  const withoutAccess = new Set<number>();
  for (const person of connectedPeople(act)) {
    if (among.has(person.id) && !isChannelVisible(act, person, channel, () => false)) withoutAccess.add(person.id);
  }
  return withoutAccess;
}

/** Emits the new subscriptions of each connected user. */
function emitOwnSubscriptions(act: ActionContext, results: readonly SubscribeUsersResult[]): void {
  const own = new Map<number, NewSubscription[]>();
  for (const {channel, added} of results) {
    const connected = added.filter((id) => act.server.queues.isConnected(id));
    const subscribers = connected.length === 0 ? [] : subscriberIds(act, channel.id);
    for (const id of connected) {
      const subscription = subscriptionOf(act, id, channel.id);
      if (subscription === undefined) continue;
      own.set(id, [...(own.get(id) ?? []), {channel, subscription, subscribers}]);
    }
  }
  for (const [id, subscriptions] of own) {
    const user = findUser(act.db, id);
    if (user !== undefined) emitSubscriptionAdd(act, user, subscriptions);
  }
}

/** Unsubscribes users, marks their messages of the channels read, and returns who was subscribed to which channel. */
function unsubscribeUsers(act: ActionContext, channels: readonly ChannelRow[], userIds: Ids): PeerChange[] {
  const changes = channels.map((channel) => {
    const current = subscribersOf(act, channel.id);
    return {channel, userIds: [...new Set(userIds)].filter((id) => current.has(id))};
  });
  const effective = changes.filter((change) => change.userIds.length > 0);
  if (effective.length === 0) return changes;
  trackUserAccess(act, () => {
    const unread = unreadOfConnected(act, effective);
    for (const {channel, userIds: removed} of effective) endSubscriptions(act, channel, removed);
    emitOwnRemovals(act, effective);
    emitPeers(act, 'peer_remove', effective);
    for (const [id, messages] of unread) {
      if (messages.length > 0) emitFlagChange(act, {id}, {op: 'add', flag: 'read'}, messages);
    }
  });
  return changes;
}

/** Returns, by connected user, the unread messages of the channels that they are about to leave. */
function unreadOfConnected(act: ActionContext, changes: readonly PeerChange[]): Map<number, number[]> {
  const unread = new Map<number, number[]>();
  for (const id of new Set(changes.flatMap((change) => change.userIds))) {
    if (!act.server.queues.isConnected(id)) continue;
    const left = changes.filter(({userIds}) => userIds.includes(id)).map(({channel}) => channel.id);
    unread.set(id, unreadInChannels(act.db, id, left));
  }
  return unread;
}

/** Emits to each connected user the channels that they left, and then the deletion of those they can no longer see. */
function emitOwnRemovals(act: ActionContext, changes: readonly PeerChange[]): void {
  const lost = new Map(
    changes.map(({channel, userIds}) => [channel.id, connectedWithoutAccess(act, channel, new Set(userIds))]),
  );
  for (const id of new Set(changes.flatMap((change) => change.userIds))) {
    if (!act.server.queues.isConnected(id)) continue;
    const left = changes.filter(({userIds}) => userIds.includes(id)).map(({channel}) => channel);
    emitSubscriptionRemove(act, id, left);
    const hidden = left.filter((channel) => lost.get(channel.id)?.has(id) === true);
    emitChannelDelete(act, hidden, new Set([id]));
  }
}

/** Same as `unsubscribeUsers`, in slices, and returns by channel who was subscribed. */
export function* unsubscribeInSlices(
  act: ActionContext,
  channels: readonly ChannelRow[],
  userIds: Ids,
): Generator<void, Map<number, Set<number>>> {
  const removed = new Map(channels.map(({id}) => [id, new Set<number>()]));
  for (const [part, ids] of slicesOf(channels, userIds)) {
    const current = part.map((channel) => currentRow(act, channel));
    for (const change of unsubscribeUsers(act, current, ids)) {
      for (const id of change.userIds) removed.get(change.channel.id)?.add(id);
    }
    yield;
  }
  return removed;
}

function endSubscriptions(act: ActionContext, channel: ChannelRow, removed: Ids): void {
  const {db, server} = act;
  const ids = JSON.stringify(removed);
  const sql = `UPDATE subscription SET active = 0
     WHERE channel_id = ? AND user_id IN (SELECT value FROM json_each(?))`;
  db.run(sql, channel.id, ids);
  const update = `UPDATE subscription_period SET until_id = ?
     WHERE channel_id = ? AND user_id IN (SELECT value FROM json_each(?)) AND until_id IS NULL`;
  db.run(update, nextMessageId(db), channel.id, ids);
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

/** The colors of new subscriptions, in the order in which Zulip's servers assign them. */
const palette = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
  '#9987e1',
  '#e4523d',
  '#c2c2c2',
  '#4f8de4',
  '#c6a8ad',
  '#e7cc4d',
  '#c8bebf',
  '#a47462',
] as const;

/** Returns for each user the first color that none of their channels has. */
export function unusedColors({db}: Pick<ActionContext, 'db'>, userIds: Ids): Map<number, string> {
  const sql = `SELECT user_id, group_concat(color, ' ') AS colors FROM subscription
     WHERE user_id IN (SELECT value FROM json_each(?)) GROUP BY user_id`;
  const rows = db.all<{user_id: number; colors: string}>(sql, JSON.stringify(userIds));
  const used = new Map(rows.map(({user_id, colors}) => [user_id, colors]));
  return new Map(userIds.map((id) => [id, unusedColor(used.get(id) ?? '')]));
}

function unusedColor(used: string): string {
  const unused = palette.find((color) => !used.includes(color));
  return unused ?? palette[new Set(used.split(' ')).size % palette.length] ?? palette[0];
}

/** Throws unless the value is a color. `name` and `where` are what the error calls the value and the item it is in. */
export function checkColor(value: unknown, name: string, where?: string): void {
  if (typeof value === 'string' && /^#(?:[0-9a-f]{3}){1,2}$/i.test(value)) return;
  const problem = `${name} is not a valid hex color code`;
  throw badRequest(where === undefined ? problem : `Invalid ${where}: Value error, ${problem}`);
}
