import {cleanTopic, maxTopicLength} from '#server/actions/inputs/message-text.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {Database} from '#server/db/database.ts';
import {type ChannelRow, fold, type UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {emitUserTopic} from './auto-follow.ts';

export interface UserTopicRow {
  readonly channel_id: number;
  readonly topic_name: string;
  readonly policy: number;
  readonly updated_at: number;
}

/**
 * Mutes, unmutes or follows a topic, or removes its policy. The topic need not have messages; repeating is no error.
 */
export function setTopicPolicy(
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow | undefined,
  topicName: string,
  policy: number,
): void {
  if (channel === undefined || !canSetPolicy(act, actor, channel, policy)) throw badRequest('Invalid channel ID');
  if (!Object.values<number>(visibilityPolicies).includes(policy)) throw badRequest('Invalid visibility_policy');
  if (Array.from(topicName.trim()).length > maxTopicLength) {
    throw badRequest(`Topic is too long (limit: ${maxTopicLength} characters)`);
  }
  const topic = cleanTopic(act, topicName);
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
  emitMutedTopics(act, actor);
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

/** Removing a policy is possible in all channels with one, even after access to the channel was lost. */
function canSetPolicy(act: ActionContext, actor: UserRow, channel: ChannelRow, policy: number): boolean {
  if (canReadChannel(act, actor, channel)) return true;
  const any = 'SELECT 1 FROM user_topic WHERE user_id = ? AND channel_id = ? LIMIT 1';
  return policy === visibilityPolicies.none && act.db.get(any, actor.id, channel.id) !== undefined;
}

export function userTopicsOf(db: Database, userId: number): UserTopicRow[] {
  return db.all<UserTopicRow>(
    `SELECT channel_id, topic_name, policy, updated_at FROM user_topic
     WHERE user_id = ? AND policy <> ${visibilityPolicies.none} ORDER BY updated_at, channel_id, topic_key`,
    userId,
  );
}

/** Returns the legacy list of muted topics: `[channel name, topic, since]`. */
export function mutedTopics(act: Pick<ActionContext, 'server'>, userId: number, emptyTopicName: boolean): unknown[] {
  const {db} = act.server;
  return userTopicsOf(db, userId)
    .filter((row) => row.policy === visibilityPolicies.muted)
    .map((row) => [
      findChannel(db, row.channel_id)?.name ?? '',
      topicDisplayName(act, row.topic_name, emptyTopicName),
      row.updated_at,
    ]);
}

export function topicDisplayName(act: Pick<ActionContext, 'server'>, topic: string, emptyTopicName: boolean): string {
  return topic === '' && !emptyTopicName ? organization(act).empty_topic_display_name : topic;
}

/** Emits the legacy list to queues that do not subscribe to `user_topic` events. */
function emitMutedTopics(act: ActionContext, actor: UserRow): void {
  act.emit({
    type: 'muted_topics',
    to: [actor.id],
    body(reader) {
      if (reader.wants('user_topic')) return undefined;
      const emptyTopicName = reader.options.capabilities.empty_topic_name === true;
      return {muted_topics: mutedTopics(act, actor.id, emptyTopicName)};
    },
  });
}
