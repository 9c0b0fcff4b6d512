import {settingSql, userSettings} from '#server/accounts/user-settings.ts';
import {maxTopicLength, storedTopicName} from '#server/actions/inputs.ts';
import type {ActionContext, RequestContext, ServerAccess} from '#server/context.ts';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import type {Database} from '#server/db/database.ts';
import {receivedTopicsOf, topicsOf} from '#server/db/messages.ts';
import {type ChannelRow, fold, type Ids, type UserRow} from '#server/db/rows.ts';
import {badRequest, notListed, required} from '#server/errors.ts';
import {byCapability} from '#server/event-queues/event-queues.ts';
import {canReadChannel, requireReadableChannel} from '#server/permissions/channel.ts';
import {topicDisplayName} from '#server/permissions/has-permission.ts';
import {type Route, route} from '#server/route.ts';
import {endpoints} from '#wire/endpoints.ts';
import {type MutedTopic, visibilityPolicies} from '#wire/objects/channel.ts';

export const topicRoutes: readonly Route[] = [
  route(endpoints.getTopics, 'visitor', (call, {stream_id, allow_empty_topic_name}) => {
    const {id, history_public_to_subscribers} = requireReadableChannel(call, call.actor, stream_id);
    const isHistoryPublic = history_public_to_subscribers === 1;
    const topics = isHistoryPublic ? topicsOf(call.db, id) : receivedTopicsOf(call.db, id, call.actor.id);
    const nameOf = (topic: string) => topicDisplayName(call, topic, allow_empty_topic_name);
    return {topics: topics.map(({name, max_id}) => ({name: nameOf(name), max_id}))};
  }),
  route(endpoints.setUserTopic, 'account', (call, {stream_id, topic, visibility_policy}) =>
    setTopicPolicy(call, findChannel(call.db, stream_id), topic, visibility_policy),
  ),
  route(endpoints.muteTopic, 'account', (call, {stream_id, stream, topic, op}) => {
    if (stream_id !== undefined && stream !== undefined) {
      const parameters = 'stream_id, stream';
      throw badRequest(`Unsupported parameter combination: ${parameters}`, {parameters});
    }
    const channel =
      stream_id === undefined
        ? findChannelByName(call.db, required(stream, "Missing 'stream_id' argument"))
        : findChannel(call.db, stream_id);
    const policy = op === 'add' ? visibilityPolicies.muted : visibilityPolicies.none;
    const invalidToAdd = stream === undefined ? 'Invalid channel ID' : `Invalid channel name '${stream}'`;
    setTopicPolicy(call, channel, topic, policy, op === 'remove' ? 'Topic is not muted' : invalidToAdd);
  }),
];

/**
 * Mutes, unmutes or follows a topic, or removes its policy. The topic need not have messages,
 * and its name is kept as it is; repeating is no error.
 */
function setTopicPolicy(
  act: RequestContext,
  channel: ChannelRow | undefined,
  topicName: string,
  policy: number,
  invalidChannel = 'Invalid channel ID',
): void {
  const {actor} = act;
  if (Array.from(topicName).length > maxTopicLength) {
    throw badRequest(`topic is too long (limit: ${maxTopicLength} characters)`);
  }
  if (!Object.values<number>(visibilityPolicies).includes(policy)) throw notListed('visibility_policy');
  if (channel === undefined || !canSetPolicy(act, channel, policy)) throw badRequest(invalidChannel);
  const topic = storedTopicName(act, topicName);
  const changed =
    policy === visibilityPolicies.none
      ? act.db.deleteRows('user_topic', {user_id: actor.id, channel_id: channel.id, topic_key: fold(topic)})
      : store(act, channel.id, topic, policy);
  if (changed === 0) return;
  emitUserTopic(act, actor.id, channel.id, topic, policy);
}

function store(act: RequestContext, channelId: number, topic: string, policy: number): number {
  const sql = `INSERT INTO user_topic (user_id, channel_id, topic_key, topic_name, policy, updated_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id, channel_id, topic_key) DO UPDATE
       SET policy = excluded.policy, updated_at = excluded.updated_at
       WHERE policy <> excluded.policy`;
  return act.db.run(sql, act.actor.id, channelId, fold(topic), topic, policy, act.now);
}

/** Removing a policy is possible in all channels, even after access to the channel was lost. */
function canSetPolicy(act: RequestContext, channel: ChannelRow, policy: number): boolean {
  if (policy === visibilityPolicies.none) return true;
  return channel.is_archived === 0 && canReadChannel(act, act.actor, channel);
}

/** Removes all users' policies of a topic that was deleted. */
export function forgetTopicPolicies(act: ActionContext, channelId: number, topicKey: string): void {
  const sql = 'DELETE FROM user_topic WHERE channel_id = ? AND topic_key = ? RETURNING user_id, topic_name';
  const rows = act.db.all<{user_id: number; topic_name: string}>(sql, channelId, topicKey);
  for (const row of rows) emitUserTopic(act, row.user_id, channelId, row.topic_name, visibilityPolicies.none);
}

interface UserTopicRow {
  readonly channel_id: number;
  readonly topic_name: string;
  readonly policy: number;
  readonly updated_at: number;
}

export function userTopicsOf(db: Database, userId: number): UserTopicRow[] {
  const sql = `SELECT channel_id, topic_name, policy, updated_at FROM user_topic
     WHERE user_id = ? AND channel_id IN (SELECT id FROM channel WHERE is_archived = 0) AND policy <> ${visibilityPolicies.none} ORDER BY channel_id, topic_key`;
  return db.all<UserTopicRow>(sql, userId);
}

/** Returns the legacy list of muted topics: `[channel name, topic, since]`. */
export function mutedTopics(act: ServerAccess, userId: number, emptyTopicName: boolean): MutedTopic[] {
  const {db} = act.server;
  return userTopicsOf(db, userId)
    .filter((row) => row.policy === visibilityPolicies.muted)
    .map(
      (row): MutedTopic => [
        findChannel(db, row.channel_id)?.name ?? '',
        topicDisplayName(act, row.topic_name, emptyTopicName),
        row.updated_at,
      ],
    );
}

/** Emits the legacy list to queues that do not name `user_topic` among their event types. */
function emitMutedTopics(act: ActionContext, userId: number): void {
  act.emit('muted_topics', [userId], (reader) => {
    if (reader.options.eventTypes?.has('user_topic') === true) return undefined;
    const emptyTopicName = reader.options.capabilities.empty_topic_name === true;
    return {muted_topics: mutedTopics(act, userId, emptyTopicName)};
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
  act.emit(
    'user_topic',
    [userId],
    byCapability('empty_topic_name', (isKnown) => body(topicDisplayName(act, topic, isKnown))),
  );
}

/** The ways to take part in a topic, from the weakest sign of interest to the strongest, by policy value. */
const activityLevels = {participated: 1, sent: 2, started: 3} as const;

type TopicActivity = keyof typeof activityLevels;

interface ChannelTopic {
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
export function autoFollowMentioned(act: ActionContext, userIds: Ids, topic: ChannelTopic): void {
  if (userIds.length === 0) return;
  const {followed, muted} = visibilityPolicies;
  const sql = `SELECT id FROM user WHERE id IN (SELECT value FROM json_each(?)) AND is_bot = 0 AND is_system_bot = 0
       AND ${settingSql('automatically_follow_topics_where_mentioned')}
       AND id NOT IN (SELECT user_id FROM user_topic WHERE channel_id = ? AND topic_key = ? AND policy IN (?, ?))`;
  const ids: number[] = act.db.pluck(sql, JSON.stringify(userIds), topic.channelId, topic.topicKey, followed, muted);
  writePolicy(act, ids, topic, followed);
}

/** Sets the policy unless the topic is already as visible: automatic changes never hide a topic. */
function raisePolicy(act: ActionContext, userId: number, topic: ChannelTopic, policy: number): number | undefined {
  const {channelId, topicKey} = topic;
  const sql = 'SELECT policy FROM user_topic WHERE user_id = ? AND channel_id = ? AND topic_key = ?';
  const current = act.db.value(sql, userId, channelId, topicKey);
  if (current === policy || current === visibilityPolicies.followed) return undefined;
  writePolicy(act, [userId], topic, policy);
  return policy;
}

function writePolicy(act: ActionContext, userIds: Ids, topic: ChannelTopic, policy: number): void {
  const sql = `INSERT OR REPLACE INTO user_topic (user_id, channel_id, topic_key, topic_name, policy, updated_at)
     SELECT value, ?2, ?3, ?4, ?5, ?6 FROM json_each(?1)`;
  act.db.run(sql, JSON.stringify(userIds), topic.channelId, topic.topicKey, topic.topic, policy, act.now);
  for (const id of userIds) {
    if (act.server.queues.isConnected(id)) emitUserTopic(act, id, topic.channelId, topic.topic, policy);
  }
}
