import {userSettings} from '#server/accounts/user-settings.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {listUsers} from '#server/db/users.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {emitUserTopic} from './user-topic-events.ts';

/** The ways to take part in a topic, from the weakest sign of interest to the strongest, by policy value. */
const activityLevels = {participated: 1, sent: 2, started: 3} as const;
export type TopicActivity = keyof typeof activityLevels;

export interface ChannelTopic {
  readonly channelId: number;
  readonly topic: string;
  readonly topicKey: string;
}

/** Follows or unmutes the topic if the user's settings say so after this activity. Returns the new policy. */
export function autoFollow(
  act: ActionContext,
  user: UserRow,
  topic: ChannelTopic,
  activity: TopicActivity,
): number | undefined {
  if (user.is_bot === 1) return undefined;
  const settings = userSettings(user);
  if (settings.automatically_follow_topics_policy <= activityLevels[activity]) {
    return raisePolicy(act, user.id, topic, visibilityPolicies.followed);
  }
  if (settings.automatically_unmute_topics_in_muted_streams_policy > activityLevels[activity]) return undefined;
  const muted = 'SELECT is_muted FROM subscription WHERE user_id = ? AND channel_id = ?';
  if (act.db.value(muted, user.id, topic.channelId) !== 1) return undefined;
  return raisePolicy(act, user.id, topic, visibilityPolicies.unmuted);
}

/**
 * Follows the topic for the mentioned users whose settings say so, except those who muted it: a group may have many, so
 * all at once.
 */
export function autoFollowMentioned(act: ActionContext, userIds: readonly number[], topic: ChannelTopic): void {
  if (userIds.length === 0) return;
  const {followed, muted} = visibilityPolicies;
  const skipped = new Set(
    act.db.pluck(
      'SELECT user_id FROM user_topic WHERE channel_id = ? AND topic_key = ? AND policy IN (?, ?)',
      topic.channelId,
      topic.topicKey,
      followed,
      muted,
    ),
  );
  const ids = listUsers(act.db, userIds)
    .filter((user) => user.is_bot === 0 && userSettings(user).automatically_follow_topics_where_mentioned)
    .flatMap(({id}) => (skipped.has(id) ? [] : [id]));
  writePolicy(act, ids, topic, followed);
}

/** Sets the policy unless the topic is already as visible: automatic changes never hide a topic. */
function raisePolicy(act: ActionContext, userId: number, topic: ChannelTopic, policy: number): number | undefined {
  const {channelId, topicKey} = topic;
  const current = act.db.value(
    'SELECT policy FROM user_topic WHERE user_id = ? AND channel_id = ? AND topic_key = ?',
    userId,
    channelId,
    topicKey,
  );
  if (current === policy || current === visibilityPolicies.followed) return undefined;
  writePolicy(act, [userId], topic, policy);
  return policy;
}

function writePolicy(act: ActionContext, userIds: readonly number[], topic: ChannelTopic, policy: number): void {
  act.db.run(
    `INSERT OR REPLACE INTO user_topic (user_id, channel_id, topic_key, topic_name, policy, updated_at)
     SELECT value, ?2, ?3, ?4, ?5, ?6 FROM json_each(?1)`,
    JSON.stringify(userIds),
    topic.channelId,
    topic.topicKey,
    topic.topic,
    policy,
    act.now,
  );
  for (const id of userIds) {
    if (act.server.queues.isConnected(id)) emitUserTopic(act, id, topic.channelId, topic.topic, policy);
  }
}
