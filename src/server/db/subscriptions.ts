import type {Database} from './database.ts';
import type {SubscriptionRow} from './rows.ts';

/** Returns the present and past subscriptions of a user by channel id. */
export function subscriptionsOf(db: Database, userId: number): Map<number, SubscriptionRow> {
  const rows = db.all<SubscriptionRow>('SELECT * FROM subscription WHERE user_id = ?', userId);
  return new Map(rows.map((row) => [row.channel_id, row]));
}

export function subscribedChannelIds(db: Database, userId: number): number[] {
  return db.pluck('SELECT channel_id FROM subscription WHERE user_id = ? AND active = 1 ORDER BY channel_id', userId);
}

/**
 * Returns the subscribers of each channel, ascending. Fetches the lists as text: a row object per subscriber costs
 * seconds.
 */
export function subscriberLists(db: Database, channelIds: readonly number[]): Map<number, number[]> {
  const rows = db.all<{channel_id: number; list: string}>(
    `SELECT wanted.value AS channel_id,
       (SELECT json_group_array(user_id) FROM subscription WHERE channel_id = wanted.value AND active = 1) AS list
     FROM json_each(?) AS wanted`,
    JSON.stringify(channelIds),
  );
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
