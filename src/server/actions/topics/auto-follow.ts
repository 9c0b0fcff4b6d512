import {userSettings} from '#server/accounts/user-settings.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
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

export function autoFollowMentioned(act: ActionContext, user: UserRow, topic: ChannelTopic): void {
  if (user.is_bot === 1 || !userSettings(user).automatically_follow_topics_where_mentioned) return;
  raisePolicy(act, user.id, topic, visibilityPolicies.followed);
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
  act.db.run(
    `INSERT OR REPLACE INTO user_topic (user_id, channel_id, topic_key, topic_name, policy, updated_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    userId,
    channelId,
    topicKey,
    topic.topic,
    policy,
    act.now,
  );
  emitUserTopic(act, userId, channelId, topic.topic, policy);
  return policy;
}
