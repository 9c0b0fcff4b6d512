import {derivedFactById} from '#server/derived-facts-cache.ts';
import type {Database} from './database.ts';
import {type ChannelRow, fold, type SubscriptionRow} from './rows.ts';

interface KnownChannels {
  readonly version: number;
  readonly byId: Map<number, ChannelRow>;
  readonly byName: Map<string, ChannelRow>;
  all?: readonly ChannelRow[];
}

/** The channels of each database that were looked up since one changed: every send and most requests need some. */
const knownChannels = new WeakMap<Database, KnownChannels>();

function currentChannels(db: Database): KnownChannels {
  const {version} = db.changes.channels;
  let known = knownChannels.get(db);
  if (known?.version !== version) {
    known = {version, byId: new Map(), byName: new Map()};
    knownChannels.set(db, known);
  }
  return known;
}

export function findChannel(db: Database, id: number): ChannelRow | undefined {
  return known(currentChannels(db).byId, id, () => db.get('SELECT * FROM channel WHERE id = ?', id));
}

export function findChannelByName(db: Database, name: string): ChannelRow | undefined {
  const key = fold(name.trim());
  return known(currentChannels(db).byName, key, () => db.get('SELECT * FROM channel WHERE name_key = ?', key));
}

function known<K>(channels: Map<K, ChannelRow>, key: K, find: () => ChannelRow | undefined): ChannelRow | undefined {
  const found = channels.get(key) ?? find();
  if (found !== undefined) channels.set(key, found);
  return found;
}

/** Returns all channels by id. */
export function listChannels(db: Database): readonly ChannelRow[] {
  const channels = currentChannels(db);
  channels.all ??= db.all<ChannelRow>('SELECT * FROM channel ORDER BY id');
  return channels.all;
}

/** The ids of a channel's active subscribers. Must be invalidated (per channel) when subscriptions change. */
export const channelSubscribers = derivedFactById<ReadonlySet<number>>('subscribers', (db, channelId) => {
  // One JSON text takes a fraction of the time of fifty thousand rows.
  const sql = 'SELECT json_group_array(user_id) FROM subscription WHERE channel_id = ? AND active = 1';
  return new Set<number>(JSON.parse(db.value<string>(sql, channelId) ?? '[]'));
});

/** Returns the present and past subscriptions of a user by channel id. */
export function subscriptionsOf(db: Database, userId: number): Map<number, SubscriptionRow> {
  const rows = db.all<SubscriptionRow>('SELECT * FROM subscription WHERE user_id = ?', userId);
  return new Map(rows.map((row) => [row.channel_id, row]));
}

export function subscribedChannelIds(db: Database, userId: number): number[] {
  return db.pluck('SELECT channel_id FROM subscription WHERE user_id = ? AND active = 1 ORDER BY channel_id', userId);
}

/** Returns the channels that a user was subscribed to. */
export function leftChannelIds(db: Database, userId: number): number[] {
  return db.pluck('SELECT channel_id FROM subscription WHERE user_id = ? AND active = 0', userId);
}

/**
 * Returns the subscribers of each channel, ascending. Fetches the lists as text: a row object per subscriber costs
 * seconds.
 */
export function subscriberLists(db: Database, channelIds: readonly number[]): Map<number, number[]> {
  const sql = `SELECT wanted.value AS channel_id,
       (SELECT json_group_array(user_id) FROM subscription WHERE channel_id = wanted.value AND active = 1) AS list
     FROM json_each(?) AS wanted`;
  const rows = db.all<{channel_id: number; list: string}>(sql, JSON.stringify(channelIds));
  return new Map(rows.map((row) => [row.channel_id, JSON.parse(row.list)]));
}

/** Returns the ids of all bots and of the users who were active or idle since a time. */
export function recentlyActiveUserIds(db: Database, since: number): Set<number> {
  return new Set(
    db.pluck(
      `SELECT user_id FROM presence WHERE active_at >= ?1 OR idle_at >= ?1
       UNION SELECT id FROM user WHERE is_bot = 1`,
      since,
    ),
  );
}
