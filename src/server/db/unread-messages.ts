/*
 * Which messages are unread. A row of `user_message` has all flags of a user on a message. Without a row, a message is
 * unread if it was sent to a channel (`unread_by_default`) that the user is subscribed to, from `unread_since` of the
 * subscription on, by somebody else whom the user has not muted. So a send writes no row per subscriber.
 *
 * Invariant: a row without the unread flag is only where the rule says "read", so that deleting a row whose last flag
 * is cleared does not make the message unread. Who marks a message read moves `unread_since` past it.
 */

import type {Database} from './database.ts';
import {nextMessageId} from './messages.ts';
import {Flag, type MessageRow, type SubscriptionRow} from './rows.ts';

/** The part of the rule that does not depend on the subscription: the message `m` can be unread for the user. */
function canBeUnread(user: string): string {
  return `m.unread_by_default = 1 AND m.sender_id <> ${user}
    AND NOT EXISTS (SELECT 1 FROM muted_user WHERE user_id = ${user} AND muted_id = m.sender_id)`;
}

function hasNoRow(user: string): string {
  return `NOT EXISTS (SELECT 1 FROM user_message WHERE user_id = ${user} AND message_id = m.id)`;
}

/** The condition that the message `m` is unread by the rule for the user of the subscription `s`. */
const unreadByRule = `s.active = 1 AND s.channel_id = m.channel_id AND m.id >= s.unread_since
  AND ${canBeUnread('s.user_id')}`;

/** The messages without a row that are unread by the rule, of the subscriptions `s` that are chosen before. */
const unreadWithoutRow = `CROSS JOIN message AS m INDEXED BY message_by_channel ON ${unreadByRule}
  AND ${hasNoRow('s.user_id')}`;

/** The subscribers who have the message `m` unread by the rule without a row. */
const unreadSubscribers = `CROSS JOIN subscription AS s INDEXED BY subscription_by_channel ON ${unreadByRule}
  AND ${hasNoRow('s.user_id')}`;

/** The SQL expression of a user's flags on the message `m`; `user` is an expression for the user's id. */
export function flagsSql(user: string): string {
  return `coalesce(
    (SELECT flags FROM user_message WHERE user_id = ${user} AND message_id = m.id),
    EXISTS (SELECT 1 FROM subscription AS s WHERE s.user_id = ${user} AND ${unreadByRule})
  )`;
}

/** The SQL subquery of the unread messages (id, flags) of the user whose id is the parameter ?1. */
export const unreadSql = `(
  SELECT message_id AS id, flags FROM user_message WHERE user_id = ?1 AND flags & ${Flag.unread}
  UNION ALL
  SELECT m.id, ${Flag.unread} FROM subscription AS s ${unreadWithoutRow} WHERE s.user_id = ?1
)`;

/** Messages, newest first: the first is about ids[0] and flags[0], and so on. */
interface UnreadPage {
  readonly ids: number[];
  /** The flags of the row; 0 without one: then the message is unread unless the rule excludes its sender. */
  readonly flags: number[];
}

/** A message and its flags are one number, because there are many. More than all flags. */
const flagsRange = 1024;

/** Returns the messages with ids in a range as numbers; undefined if they are as many as `limit`. Reads two indexes. */
function unreadNumbers(
  db: Database,
  userId: number,
  from: number,
  before: number,
  limit: number,
): number[] | undefined {
  const sql = `SELECT json_group_array(number) AS numbers, COUNT(*) AS count FROM (
    SELECT message_id * ${flagsRange} + flags AS number FROM user_message
      WHERE user_id = ?1 AND message_id >= ?2 AND message_id < ?3 AND flags & ${Flag.unread}
    UNION ALL
    SELECT m.id * ${flagsRange} FROM subscription AS s CROSS JOIN message AS m INDEXED BY message_by_channel
      ON m.channel_id = s.channel_id AND m.id >= max(s.unread_since, ?2) AND m.id < ?3
      WHERE s.user_id = ?1 AND s.active = 1
    LIMIT ?4
  )`;
  const row = db.get<{numbers: string; count: number}>(sql, userId, from, before, limit);
  return row === undefined || row.count >= limit ? undefined : JSON.parse(row.numbers);
}

function unreadPage(unsorted: readonly number[]): UnreadPage {
  const numbers = Float64Array.from(unsorted).sort();
  const page: UnreadPage = {ids: [], flags: []};
  let newer = 0;
  for (let at = numbers.length - 1; at >= 0; at--) {
    const number = numbers[at] ?? 0;
    const id = Math.floor(number / flagsRange);
    // A message with a row can be in the range of the subscription, too.
    if (id === newer) continue;
    newer = id;
    page.ids.push(id);
    page.flags.push(number - id * flagsRange);
  }
  return page;
}

/**
 * Yields the messages that a user may have unread, newest first: those with a row that says so, and those without one that
 * are in the range of a subscription.
 */
export function* unreadPages(db: Database, userId: number, pageSize: number): Generator<UnreadPage> {
  const end = nextMessageId(db);
  // Most users have so few that they are one page.
  const all = unreadNumbers(db, userId, 0, end, Math.ceil(1.25 * pageSize));
  if (all !== undefined) {
    yield unreadPage(all);
    return;
  }
  for (let before = end; before > 0; before -= pageSize) {
    const numbers = unreadNumbers(db, userId, Math.max(0, before - pageSize), before, Number.MAX_SAFE_INTEGER);
    yield unreadPage(numbers ?? []);
  }
}

/** Returns the unread messages of a user in channels, in the order of ids. */
export function unreadInChannels(db: Database, userId: number, channelIds: readonly number[]): number[] {
  const sql = `SELECT u.id FROM ${unreadSql} AS u CROSS JOIN message AS m ON m.id = u.id
     WHERE m.channel_id IN (SELECT value FROM json_each(?2)) ORDER BY u.id`;
  return db.pluck(sql, userId, JSON.stringify(channelIds));
}

/** The SQL subquery of the users with flags (user_id, flags) on the message whose id is the parameter ?1. */
export const flagsByUserSql = `(
  SELECT user_id, flags FROM user_message INDEXED BY user_message_by_message WHERE message_id = ?1
  UNION ALL
  SELECT s.user_id, ${Flag.unread} FROM message AS m ${unreadSubscribers} WHERE m.id = ?1
)`;

/** The condition that the message `m`, which is in the range of the user's subscription, is unread without a row. */
export function unreadInRangeSql(user: string): string {
  return `${canBeUnread(user)} AND ${hasNoRow(user)}`;
}

/**
 * Returns whether a message of the subscription's channel is unread by the rule, for code that has the rows of a whole
 * channel. `muterIds` are the users who have muted the sender.
 */
export function isUnreadByRule(
  message: Pick<MessageRow, 'id' | 'sender_id' | 'unread_by_default'>,
  subscription: Pick<SubscriptionRow, 'user_id' | 'active' | 'unread_since'>,
  muterIds: ReadonlySet<number>,
): boolean {
  const {user_id, active, unread_since} = subscription;
  if (message.unread_by_default === 0 || active !== 1 || message.id < unread_since) return false;
  return message.sender_id !== user_id && !muterIds.has(user_id);
}

/** Makes the rule say "read" for messages of the user; those before them that stay unread get rows. */
export function endUnreadByRule(db: Database, userId: number, messageIds: readonly number[]): void {
  const list = JSON.stringify(messageIds);
  const sql = `SELECT json_group_array(json_array(channel_id, until)) FROM (
       SELECT s.channel_id, MAX(m.id) + 1 AS until FROM json_each(?2) AS wanted
       CROSS JOIN message AS m ON m.id = wanted.value
       CROSS JOIN subscription AS s ON s.user_id = ?1 AND s.channel_id = m.channel_id AND m.id >= s.unread_since
       GROUP BY s.channel_id
     )`;
  const ends = db.value<string>(sql, userId, list);
  moveUnreadSince(db, userId, ends ?? '[]', list);
}

/** Gives all messages that are unread by the rule a row. */
export function writeAllUnreadRows(db: Database, userId: number): void {
  const sql = 'SELECT json_group_array(json_array(channel_id, ?2)) FROM subscription WHERE user_id = ?1 AND active = 1';
  const ends = db.value<string>(sql, userId, nextMessageId(db));
  moveUnreadSince(db, userId, ends ?? '[]', '[]');
}

/** Moves `unread_since` of channels to given ids; the messages before that stay unread, except `readIds`, get rows. */
function moveUnreadSince(db: Database, userId: number, ends: string, readIds: string): void {
  if (ends === '[]') return;
  const sql = `INSERT INTO user_message (user_id, message_id, flags)
     SELECT s.user_id, m.id, ${Flag.unread} FROM json_each(?2) AS moved
     CROSS JOIN subscription AS s ON s.user_id = ?1 AND s.channel_id = moved.value ->> 0
     ${unreadWithoutRow} AND m.id < moved.value ->> 1 AND m.id NOT IN (SELECT value FROM json_each(?3))`;
  db.run(sql, userId, ends, readIds);
  const update = `UPDATE subscription SET unread_since = moved.value ->> 1 FROM json_each(?2) AS moved
     WHERE user_id = ?1 AND channel_id = moved.value ->> 0`;
  db.run(update, userId, ends);
}

/** The topic from which messages move. */
export interface MessageOrigin {
  readonly channelId: number;
  readonly topicKey: string;
}

/**
 * The subscribers `s` of both channels with the messages `m` that they have unread by the rule without a row. Parameters:
 * ?1 the ids, ?2 and ?3 the origin, ?4 the newest id, ?5 the new channel. Subscribers first, because most have read all.
 */
const unreadOfMoved = `FROM subscription AS s INDEXED BY subscription_by_channel
  CROSS JOIN message AS m INDEXED BY message_by_topic ON m.topic_key = ?3 AND m.id <= ?4 AND ${unreadByRule}
  AND ${hasNoRow('s.user_id')}
  WHERE s.channel_id = ?2 AND s.unread_since <= ?4 AND m.id IN (SELECT value FROM json_each(?1))
    AND EXISTS (SELECT 1 FROM subscription WHERE user_id = s.user_id AND channel_id = ?5 AND active = 1)`;

function unreadOfMovedValues(ids: readonly number[], {channelId, topicKey}: MessageOrigin, newChannelId: number) {
  return [JSON.stringify(ids), channelId, topicKey, ids.at(-1) ?? 0, newChannelId] as const;
}

/** Returns the number of rows, up to a limit, that `detachUnread` would write. `ids` are ascending. */
export function countDetachedRows(
  db: Database,
  ids: readonly number[],
  origin: MessageOrigin,
  newChannelId: number,
  limit: number,
): number {
  const sql = `SELECT COUNT(*) FROM (SELECT 1 ${unreadOfMoved} LIMIT ?6)`;
  return db.value(sql, ...unreadOfMovedValues(ids, origin, newChannelId), limit) ?? 0;
}

/**
 * Makes the unread state of messages independent of their channel before they move to another one: the subscribers of
 * both channels who have them unread get rows; for all others they are read. `ids` are ascending.
 */
export function detachUnread(db: Database, ids: readonly number[], origin: MessageOrigin, newChannelId: number): void {
  db.run(
    `INSERT INTO user_message (user_id, message_id, flags) SELECT s.user_id, m.id, ${Flag.unread} ${unreadOfMoved}`,
    ...unreadOfMovedValues(ids, origin, newChannelId),
  );
  const list = JSON.stringify(ids);
  db.run('UPDATE message SET unread_by_default = 0 WHERE id IN (SELECT value FROM json_each(?))', list);
}
