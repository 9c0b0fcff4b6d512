import type {Database} from './database.ts';
import type {MessageRow} from './rows.ts';

export function findMessage(db: Database, id: number): MessageRow | undefined {
  return db.get<MessageRow>('SELECT * FROM message WHERE id = ?', id);
}

/** Returns those of the messages that exist, by id. */
export function findMessages(db: Database, ids: readonly number[]): MessageRow[] {
  const sql = 'SELECT m.* FROM json_each(?) AS wanted JOIN message AS m ON m.id = wanted.value ORDER BY m.id';
  return db.all<MessageRow>(sql, JSON.stringify(ids));
}

/** Returns the id that the next message will have. */
export function nextMessageId(db: Database): number {
  return (db.value(`SELECT seq FROM sqlite_sequence WHERE name = 'message'`) ?? 0) + 1;
}

/**
 * Returns the id of the first message at or after a time, by bisection: ids ascend with time, so no index is needed.
 */
export function firstMessageIdSince(db: Database, at: number): number {
  let low = db.value('SELECT MIN(id) FROM message') ?? 1;
  let high = nextMessageId(db);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const sql = 'SELECT id, sent_at FROM message WHERE id >= ? ORDER BY id LIMIT 1';
    const row = db.get<{id: number; sent_at: number}>(sql, middle);
    if (row !== undefined && row.sent_at < at) low = row.id + 1;
    else high = middle;
  }
  return low;
}

/** Returns the form of `dm.key`: the ids of all participants once, in numeric order. */
export function directConversationKey(userIds: Iterable<number>): string {
  return [...new Set(userIds)].sort((a, b) => a - b).join(',');
}

export function directConversationMembers(db: Database, dmId: number): number[] {
  return db.pluck('SELECT user_id FROM dm_member WHERE dm_id = ? ORDER BY user_id', dmId);
}

/**
 * Returns the conversation of exactly these users, with their ids ascending, and creates it if needed. It is new until it
 * has a message.
 */
export function findOrCreateDirectConversation(db: Database, userIds: Iterable<number>) {
  const members = [...new Set(userIds)].sort((a, b) => a - b);
  const existingId = db.value('SELECT id FROM dm WHERE key = ?', members.join(','));
  if (existingId !== undefined) {
    const isNew = db.get('SELECT 1 FROM message WHERE dm_id = ? LIMIT 1', existingId) === undefined;
    return {id: existingId, members, isNew};
  }
  const id = db.insertRow('dm', {key: members.join(','), size: members.length});
  for (const member of members) db.insertRow('dm_member', {user_id: member, dm_id: id});
  return {id, members, isNew: true};
}

/** A topic's name and the id of its latest message. */
interface TopicRow {
  readonly name: string;
  readonly max_id: number;
}

/**
 * Returns the topics of a channel, newest first, each with the spelling of its latest message. The query steps from
 * one topic to the next in the index, so its cost depends on the number of topics, not of messages.
 */
export function topicsOf(db: Database, channelId: number): TopicRow[] {
  const sql = `WITH RECURSIVE topic (key) AS (
       SELECT MIN(topic_key) FROM message WHERE channel_id = ?1
       UNION ALL
       SELECT (SELECT MIN(topic_key) FROM message WHERE channel_id = ?1 AND topic_key > topic.key)
       FROM topic WHERE topic.key IS NOT NULL
     ), latest (id) AS (
       SELECT (SELECT MAX(id) FROM message WHERE channel_id = ?1 AND topic_key = topic.key)
       FROM topic WHERE topic.key IS NOT NULL
     )
     SELECT message.topic AS name, message.id AS max_id
     FROM latest JOIN message ON message.id = latest.id ORDER BY message.id DESC`;
  return db.all<TopicRow>(sql, channelId);
}

/** Returns the topics of the channel's messages that the user received, newest first. */
export function receivedTopicsOf(db: Database, channelId: number, userId: number): TopicRow[] {
  const sql = `WITH latest (id) AS (
       SELECT MAX(m.id) FROM subscription_period AS p
       JOIN message AS m ON m.channel_id = p.channel_id AND m.id >= p.since_id
         AND (p.until_id IS NULL OR m.id < p.until_id)
       WHERE p.user_id = ? AND p.channel_id = ?
       GROUP BY m.topic_key
     )
     SELECT message.topic AS name, message.id AS max_id
     FROM latest JOIN message ON message.id = latest.id ORDER BY message.id DESC`;
  return db.all<TopicRow>(sql, userId, channelId);
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
