import type {Database} from './database.ts';
import type {SubscriptionRow} from './rows.ts';

/** Every subscription a person has or had, by channel. */
export function subscriptionsOf(db: Database, userId: number): Map<number, SubscriptionRow> {
  const rows = db.all<SubscriptionRow>('SELECT * FROM subscription WHERE user_id = ?', userId);
  return new Map(rows.map((row) => [row.channel_id, row]));
}

export function subscribedChannelIds(db: Database, userId: number): number[] {
  return db.pluck(
    'SELECT channel_id FROM subscription WHERE user_id = ? AND active = 1 ORDER BY channel_id',
    userId,
  );
}

/** Subscribers of each of these channels, ascending. The lists come as text: half a million rows would cost seconds. */
export function subscriberLists(db: Database, channelIds: readonly number[]): Map<number, number[]> {
  return listsByChannel(
    db,
    `SELECT wanted.value AS channel_id,
       (SELECT json_group_array(user_id) FROM subscription WHERE channel_id = wanted.value AND active = 1) AS list
     FROM json_each(?) AS wanted`,
    JSON.stringify(channelIds),
  );
}

/**
 * The subscribers a client cannot do without: bots, people seen lately, and the reader.
 * CROSS JOIN fixes the order: from those few people to their channels, never from every subscriber to the few.
 */
export function partialSubscriberLists(
  db: Database,
  channelIds: readonly number[],
  options: {seenSince: number; readerId: number},
): Map<number, number[]> {
  return listsByChannel(
    db,
    `SELECT s.channel_id, json_group_array(s.user_id) AS list
     FROM (
       SELECT user_id FROM presence WHERE active_at >= ?2 OR idle_at >= ?2
       UNION SELECT id FROM user WHERE is_bot = 1
       UNION SELECT ?3
     ) AS lively CROSS JOIN subscription AS s
     WHERE s.user_id = lively.user_id AND s.active = 1 AND s.channel_id IN (SELECT value FROM json_each(?1))
     GROUP BY s.channel_id`,
    JSON.stringify(channelIds),
    options.seenSince,
    options.readerId,
  );
}

function listsByChannel(db: Database, sql: string, ...values: (string | number)[]): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  for (const row of db.all<{channel_id: number; list: string}>(sql, ...values)) {
    lists.set(row.channel_id, JSON.parse(row.list));
  }
  return lists;
}
