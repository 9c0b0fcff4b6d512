import type {Database} from './database.ts';

/** A topic's name and the id of its latest message. */
export interface TopicRow {
  readonly name: string;
  readonly max_id: number;
}

/**
 * Returns the topics of a channel, newest first, each with the spelling of its latest message. The query steps from
 * one topic to the next in the index, so its cost depends on the number of topics, not of messages.
 */
export function topicsOf(db: Database, channelId: number): TopicRow[] {
  return db.all<TopicRow>(
    `WITH RECURSIVE topic (key) AS (
       SELECT MIN(topic_key) FROM message WHERE channel_id = ?1
       UNION ALL
       SELECT (SELECT MIN(topic_key) FROM message WHERE channel_id = ?1 AND topic_key > topic.key)
       FROM topic WHERE topic.key IS NOT NULL
     ), latest (id) AS (
       SELECT (SELECT MAX(id) FROM message WHERE channel_id = ?1 AND topic_key = topic.key)
       FROM topic WHERE topic.key IS NOT NULL
     )
     SELECT message.topic AS name, message.id AS max_id
     FROM latest JOIN message ON message.id = latest.id ORDER BY message.id DESC`,
    channelId,
  );
}

/** Returns the topics of the channel's messages that the user received, newest first. */
export function receivedTopicsOf(db: Database, channelId: number, userId: number): TopicRow[] {
  return db.all<TopicRow>(
    `WITH latest (id) AS (
       SELECT MAX(m.id) FROM subscription_period AS p
       JOIN message AS m ON m.channel_id = p.channel_id AND m.id >= p.since_id
         AND (p.until_id IS NULL OR m.id < p.until_id)
       WHERE p.user_id = ? AND p.channel_id = ?
       GROUP BY m.topic_key
     )
     SELECT message.topic AS name, message.id AS max_id
     FROM latest JOIN message ON message.id = latest.id ORDER BY message.id DESC`,
    userId,
    channelId,
  );
}

/** Returns whether a message of the topic reached the user, or became one of theirs, such as by a star. */
export function hasReceivedFromTopic(db: Database, userId: number, channelId: number, topicKey: string): boolean {
  const sql = `SELECT 1 FROM message AS m WHERE m.channel_id = ?2 AND m.topic_key = ?3 AND (
      EXISTS (SELECT 1 FROM subscription_period WHERE user_id = ?1 AND channel_id = ?2
        AND since_id <= m.id AND (until_id IS NULL OR until_id > m.id))
      OR EXISTS (SELECT 1 FROM user_message WHERE user_id = ?1 AND message_id = m.id)
    ) LIMIT 1`;
  return db.get(sql, userId, channelId, topicKey) !== undefined;
}
