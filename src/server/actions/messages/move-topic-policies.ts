import {autoFollow} from '#server/actions/topics/auto-follow.ts';
import {emitUserTopic} from '#server/actions/topics/user-topic-events.ts';
import type {ActionContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import type {MessageMove} from './message-move.ts';

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
  const rows = db.all<{user_id: number; policy: number}>(
    'SELECT user_id, policy FROM user_topic WHERE channel_id = ? AND topic_key = ?',
    channelId,
    topicKey,
  );
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
    act.db.run(
      `INSERT OR REPLACE INTO user_topic (user_id, channel_id, topic_key, topic_name, policy, updated_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      userId,
      channelId,
      key,
      topic,
      policy,
      act.now,
    );
  }
  emitUserTopic(act, userId, channelId, topic, policy, options);
}
