import {autoFollow, emitUserTopic} from '#server/actions/topics/user-topics.ts';
import type {ActionContext} from '#server/context.ts';
import {channelSubscribers} from '#server/db/channels.ts';
import {fold} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {isGuest} from '#server/permissions/has-permission.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import {emitMessagesDeleted} from './delete-message.ts';
import {channelMessageReaders} from './message-audience.ts';
import type {MessageMove} from './move-notices.ts';

type ReadersById = Map<number, readonly number[]>;

/**
 * Updates readers after messages moved to another channel: users who may not read them there get them deleted. Users
 * who left the old channel or are not subscribed to the new one lose their flags: the messages are no longer theirs.
 * Returns who gets the event about the move, and with which of the messages.
 */
export function updateMovedReaders(
  act: ActionContext,
  move: MessageMove,
  before: ReadonlyMap<number, readonly number[]>,
): ReadersById {
  // With public history all readers see old messages, so who received them does not matter.
  if (move.to.history_public_to_subscribers === 0) movePeriods(act, move.to.id, move.ids);
  deleteFlagsOfFormerReceivers(act, move);
  const after = channelMessageReaders(act, move.to, move.ids);
  const lost: ReadersById = new Map();
  for (const [userId, seen] of before) {
    if (!after.has(userId) && readsAll(act, move, userId)) after.set(userId, seen);
    if (after.get(userId) === seen) continue;
    const readable = new Set(after.get(userId));
    const hidden = readable.size === 0 ? seen : seen.filter((id) => !readable.has(id));
    if (hidden.length > 0) lost.set(userId, hidden);
  }
  emitMessagesDeleted(act, lost, {channel_id: move.from.id, topic: move.oldTopic});
  return new Map([...after].filter(([userId]) => isToldOfMove(act, move, userId, before)));
}

/** Returns whether a user reads the whole history of the new channel, with or without a subscription. */
function readsAll(act: ActionContext, {to}: MessageMove, userId: number): boolean {
  const user = to.history_public_to_subscribers === 1 ? findUser(act.db, userId) : undefined;
  return user !== undefined && canReadChannel(act, user, to);
}

/**
 * Returns whether a reader of the new channel gets the event. Messages of a channel with protected history exist only
 * for those who received them, and guests do not learn of channels that they cannot see.
 */
function isToldOfMove(
  {server, db}: ActionContext,
  {from, to, ids}: MessageMove,
  userId: number,
  before: ReadonlyMap<number, readonly number[]>,
): boolean {
  if (server.derivedFacts.get(channelSubscribers(from.id)).has(userId)) return true;
  if (server.derivedFacts.get(channelSubscribers(to.id)).has(userId)) {
    if (from.history_public_to_subscribers === 0) return before.has(userId);
    const user = findUser(db, userId);
    return user !== undefined && !isGuest(user);
  }
  const rows = 'SELECT 1 FROM user_message WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))';
  return db.get(rows, userId, JSON.stringify(ids)) !== undefined;
}

/** Deletes the flags of users who have or had a subscription to the old channel and have none to the new one. */
function deleteFlagsOfFormerReceivers({db}: ActionContext, {from, to, ids}: MessageMove): void {
  const sql = `DELETE FROM user_message INDEXED BY user_message_by_message WHERE message_id IN (SELECT value FROM json_each(?1))
       AND EXISTS (SELECT 1 FROM subscription AS s WHERE s.user_id = user_message.user_id AND s.channel_id = ?2)
       AND NOT EXISTS (
         SELECT 1 FROM subscription AS s WHERE s.user_id = user_message.user_id AND s.channel_id = ?3 AND s.active = 1
       )`;
  db.run(sql, JSON.stringify(ids), from.id, to.id);
}

/**
 * Makes messages that moved to a channel count as received by its current subscribers, whenever they were sent.
 * Subscription periods are ranges of message ids, so users who subscribed later get a period for just these messages,
 * and the messages are cut out of the periods of users who have left.
 */
function movePeriods(act: ActionContext, channelId: number, ids: readonly number[]): void {
  const list = JSON.stringify(ids);
  const sql = `INSERT INTO subscription_period (user_id, channel_id, since_id, until_id)
     SELECT s.user_id, ?1, moved.value, moved.value + 1
     FROM json_each(?2) AS moved CROSS JOIN subscription AS s ON s.channel_id = ?1 AND s.active = 1
     WHERE NOT EXISTS (
       SELECT 1 FROM subscription_period AS p WHERE p.user_id = s.user_id AND p.channel_id = ?1
         AND p.since_id <= moved.value AND (p.until_id IS NULL OR p.until_id > moved.value)
     )
     ON CONFLICT (user_id, channel_id, since_id) DO UPDATE SET until_id = MAX(until_id, excluded.until_id)`;
  act.db.run(sql, channelId, list);
  for (const id of ids) cutOut(act, channelId, id);
}

interface EndedPeriod {
  readonly user_id: number;
  readonly since_id: number;
  readonly until_id: number;
}

function cutOut({db}: ActionContext, channelId: number, id: number): void {
  const sql = `SELECT user_id, since_id, until_id FROM subscription_period AS p
     WHERE channel_id = ?1 AND since_id <= ?2 AND until_id > ?2 AND NOT EXISTS (
       SELECT 1 FROM subscription WHERE user_id = p.user_id AND channel_id = ?1 AND active = 1
     )`;
  const ended = db.all<EndedPeriod>(sql, channelId, id);
  for (const {user_id, since_id, until_id} of ended) {
    const key = 'user_id = ? AND channel_id = ? AND since_id = ?';
    db.run(`UPDATE subscription_period SET until_id = ? WHERE ${key}`, id, user_id, channelId, since_id);
    if (id + 1 >= until_id) continue;
    const insert = `INSERT INTO subscription_period (user_id, channel_id, since_id, until_id) VALUES (?, ?, ?, ?)
       ON CONFLICT (user_id, channel_id, since_id) DO UPDATE SET until_id = MAX(until_id, excluded.until_id)`;
    db.run(insert, user_id, channelId, id + 1, until_id);
  }
}

const {none, muted, unmuted, followed} = visibilityPolicies;
/** From the least visible to the most. */
const ranking: readonly number[] = [muted, none, unmuted, followed];

/**
 * Moves the users' policies (muted, unmuted, followed) with a whole topic. For merged topics the more visible policy
 * wins.
 */
export function moveTopicPolicies(act: ActionContext, move: MessageMove): void {
  const [oldKey, newKey] = [fold(move.oldTopic), fold(move.topic)];
  if (move.from.id === move.to.id && oldKey === newKey) return;
  const oldPolicies = policies(act, move.from.id, oldKey);
  const targetPolicies = policies(act, move.to.id, newKey);
  const affected = move.targetExisted
    ? new Set([...oldPolicies.keys(), ...targetPolicies.keys()])
    : new Set(oldPolicies.keys());
  for (const userId of affected) {
    const old = oldPolicies.get(userId) ?? none;
    const target = targetPolicies.get(userId) ?? none;
    const next = move.targetExisted ? moreVisible(old, target) : old;
    const changesTarget = next !== target && canReadTarget(act, userId, move);
    if (old !== none) setPolicy(act, userId, move.from.id, move.oldTopic, none, {isLast: !changesTarget});
    if (changesTarget) setPolicy(act, userId, move.to.id, move.topic, next);
  }
}

/** Lets the author of the first message that was moved to a new topic follow it, if their settings say so. */
export function followSplitTopic(act: ActionContext, {to, topic, ids}: MessageMove): void {
  const sql = 'SELECT sender_id FROM message WHERE id = ?';
  const author = findUser(act.db, act.db.value<number>(sql, ids[0] ?? 0) ?? 0);
  if (author === undefined || !canReadChannel(act, author, to)) return;
  autoFollow(act, author, {channelId: to.id, topic, topicKey: fold(topic)}, 'started');
}

function moreVisible(a: number, b: number): number {
  return ranking.indexOf(a) > ranking.indexOf(b) ? a : b;
}

/** Users who lost access to the channel must not learn the topic's new name from their policy. */
function canReadTarget(act: ActionContext, userId: number, {to}: MessageMove): boolean {
  const user = findUser(act.db, userId);
  return user !== undefined && canReadChannel(act, user, to);
}

function policies({db}: ActionContext, channelId: number, topicKey: string): Map<number, number> {
  const sql = 'SELECT user_id, policy FROM user_topic WHERE channel_id = ? AND topic_key = ?';
  const rows = db.all<{user_id: number; policy: number}>(sql, channelId, topicKey);
  return new Map(rows.map(({user_id, policy}) => [user_id, policy]));
}

function setPolicy(
  act: ActionContext,
  userId: number,
  channelId: number,
  topic: string,
  policy: number,
  options: {isLast?: boolean} = {},
): void {
  const key = fold(topic);
  if (policy === none) {
    act.db.run('DELETE FROM user_topic WHERE user_id = ? AND channel_id = ? AND topic_key = ?', userId, channelId, key);
  } else {
    act.db.replaceRow('user_topic', {
      user_id: userId,
      channel_id: channelId,
      topic_key: key,
      topic_name: topic,
      policy,
      updated_at: act.now,
    });
  }
  emitUserTopic(act, userId, channelId, topic, policy, options);
}
