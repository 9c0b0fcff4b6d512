import {derivedFactById} from '#server/derived-facts-cache.ts';
import type {Database} from './database.ts';
import {type ChannelRow, fold} from './rows.ts';

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
export const channelSubscribers = derivedFactById<ReadonlySet<number>>(
  'subscribers',
  (db, channelId) =>
    new Set(db.pluck('SELECT user_id FROM subscription WHERE channel_id = ? AND active = 1', channelId)),
);
