import {maxTopicLength, storedTopicName} from '#server/actions/inputs/message-text.ts';
import type {ActionContext} from '#server/context.ts';
import {type ChannelRow, fold, type UserRow} from '#server/db/rows.ts';
import {badRequest, notListed} from '#server/http/errors.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {emitUserTopic} from './user-topic-events.ts';

/**
 * Mutes, unmutes or follows a topic, or removes its policy. The topic need not have messages,
 * and its name is kept as it is; repeating is no error.
 */
export function setTopicPolicy(
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow | undefined,
  topicName: string,
  policy: number,
  invalidChannel = 'Invalid channel ID',
): void {
  if (Array.from(topicName).length > maxTopicLength) {
    throw badRequest(`topic is too long (limit: ${maxTopicLength} characters)`);
  }
  if (!Object.values<number>(visibilityPolicies).includes(policy)) throw notListed('visibility_policy');
  if (channel === undefined || !canSetPolicy(act, actor, channel, policy)) throw badRequest(invalidChannel);
  const topic = storedTopicName(act, topicName);
  const changed =
    policy === visibilityPolicies.none
      ? act.db.run(
          'DELETE FROM user_topic WHERE user_id = ? AND channel_id = ? AND topic_key = ?',
          actor.id,
          channel.id,
          fold(topic),
        )
      : store(act, actor, channel.id, topic, policy);
  if (changed === 0) return;
  emitUserTopic(act, actor.id, channel.id, topic, policy);
}

function store(act: ActionContext, actor: UserRow, channelId: number, topic: string, policy: number): number {
  return act.db.run(
    `INSERT INTO user_topic (user_id, channel_id, topic_key, topic_name, policy, updated_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id, channel_id, topic_key) DO UPDATE
       SET policy = excluded.policy, updated_at = excluded.updated_at
       WHERE policy <> excluded.policy`,
    actor.id,
    channelId,
    fold(topic),
    topic,
    policy,
    act.now,
  );
}

/** Removing a policy is possible in all channels, even after access to the channel was lost. */
function canSetPolicy(act: ActionContext, actor: UserRow, channel: ChannelRow, policy: number): boolean {
  if (policy === visibilityPolicies.none) return true;
  return channel.is_archived === 0 && canReadChannel(act, actor, channel);
}

/** Removes all users' policies of a topic that was deleted. */
export function forgetTopicPolicies(act: ActionContext, channelId: number, topicKey: string): void {
  const rows = act.db.all<{user_id: number; topic_name: string}>(
    'DELETE FROM user_topic WHERE channel_id = ? AND topic_key = ? RETURNING user_id, topic_name',
    channelId,
    topicKey,
  );
  for (const row of rows) emitUserTopic(act, row.user_id, channelId, row.topic_name, visibilityPolicies.none);
}
