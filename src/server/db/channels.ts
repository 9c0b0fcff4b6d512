import {derivedFactById} from '#server/derived-facts-cache.ts';
import type {Database} from './database.ts';
import {type ChannelRow, fold} from './rows.ts';

export function findChannel(db: Database, id: number): ChannelRow | undefined {
  return db.get<ChannelRow>('SELECT * FROM channel WHERE id = ?', id);
}

export function findChannelByName(db: Database, name: string): ChannelRow | undefined {
  return db.get<ChannelRow>('SELECT * FROM channel WHERE name_key = ?', fold(name.trim()));
}

/** The ids of a channel's active subscribers. Must be invalidated (per channel) when subscriptions change. */
export const channelSubscribers = derivedFactById<ReadonlySet<number>>('subscribers', (db, channelId) => {
  // One JSON text takes a fraction of the time of fifty thousand rows.
  const sql = 'SELECT json_group_array(user_id) FROM subscription WHERE channel_id = ? AND active = 1';
  return new Set<number>(JSON.parse(db.value<string>(sql, channelId) ?? '[]'));
});
