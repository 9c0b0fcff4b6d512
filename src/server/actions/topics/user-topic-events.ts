import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {Database} from '#server/db/database.ts';
import {byCapability} from '#server/event-queues/emitted-event.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';

export interface UserTopicRow {
  readonly channel_id: number;
  readonly topic_name: string;
  readonly policy: number;
  readonly updated_at: number;
}

export function userTopicsOf(db: Database, userId: number): UserTopicRow[] {
  return db.all<UserTopicRow>(
    `SELECT channel_id, topic_name, policy, updated_at FROM user_topic
     WHERE user_id = ? AND channel_id IN (SELECT id FROM channel WHERE is_archived = 0) AND policy <> ${visibilityPolicies.none} ORDER BY channel_id, topic_key`,
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

/** Emits the legacy list to queues that do not name `user_topic` among their event types. */
function emitMutedTopics(act: ActionContext, userId: number): void {
  act.emit({
    type: 'muted_topics',
    to: [userId],
    body(reader) {
      if (reader.options.eventTypes?.has('user_topic') === true) return undefined;
      const emptyTopicName = reader.options.capabilities.empty_topic_name === true;
      return {muted_topics: mutedTopics(act, userId, emptyTopicName)};
    },
  });
}

/** Emits the policy of one topic, after the legacy list of muted topics unless another topic follows. */
export function emitUserTopic(
  act: ActionContext,
  userId: number,
  channelId: number,
  topic: string,
  policy: number,
  {isLast = true} = {},
): void {
  if (isLast) emitMutedTopics(act, userId);
  const body = (name: string) => ({
    stream_id: channelId,
    topic_name: name,
    last_updated: act.now,
    visibility_policy: policy,
  });
  act.emit({
    type: 'user_topic',
    to: [userId],
    body: byCapability(
      'empty_topic_name',
      () => body(topic),
      () => body(topic === '' ? organization(act).empty_topic_display_name : topic),
    ),
  });
}
