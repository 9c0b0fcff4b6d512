import type {ActionContext} from '#server/context.ts';

/**
 * Makes messages that moved to a channel count as received by its current subscribers, whenever they were sent.
 * Subscription periods are ranges of message ids, so users who subscribed later get a period for just these messages,
 * and the messages are cut out of the periods of users who have left.
 */
export function movePeriods(act: ActionContext, channelId: number, ids: readonly number[]): void {
  const list = JSON.stringify(ids);
  act.db.run(
    `INSERT INTO subscription_period (user_id, channel_id, since_id, until_id)
     SELECT s.user_id, ?1, moved.value, moved.value + 1
     FROM json_each(?2) AS moved CROSS JOIN subscription AS s ON s.channel_id = ?1 AND s.active = 1
     WHERE NOT EXISTS (
       SELECT 1 FROM subscription_period AS p WHERE p.user_id = s.user_id AND p.channel_id = ?1
         AND p.since_id <= moved.value AND (p.until_id IS NULL OR p.until_id > moved.value)
     )
     ON CONFLICT (user_id, channel_id, since_id) DO UPDATE SET until_id = MAX(until_id, excluded.until_id)`,
    channelId,
    list,
  );
  for (const id of ids) cutOut(act, channelId, id);
}

interface EndedPeriod {
  readonly user_id: number;
  readonly since_id: number;
  readonly until_id: number;
}

function cutOut({db}: ActionContext, channelId: number, id: number): void {
  const ended = db.all<EndedPeriod & Record<string, unknown>>(
    `SELECT user_id, since_id, until_id FROM subscription_period AS p
     WHERE channel_id = ?1 AND since_id <= ?2 AND until_id > ?2 AND NOT EXISTS (
       SELECT 1 FROM subscription WHERE user_id = p.user_id AND channel_id = ?1 AND active = 1
     )`,
    channelId,
    id,
  );
  for (const {user_id, since_id, until_id} of ended) {
    const key = 'user_id = ? AND channel_id = ? AND since_id = ?';
    db.run(`UPDATE subscription_period SET until_id = ? WHERE ${key}`, id, user_id, channelId, since_id);
    if (id + 1 >= until_id) continue;
    db.run(
      `INSERT INTO subscription_period (user_id, channel_id, since_id, until_id) VALUES (?, ?, ?, ?)
       ON CONFLICT (user_id, channel_id, since_id) DO UPDATE SET until_id = MAX(until_id, excluded.until_id)`,
      user_id,
      channelId,
      id + 1,
      until_id,
    );
  }
}
