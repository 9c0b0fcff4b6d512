import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {isRefusal, serverTooOldFailure} from '#api/failure.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';

type SetUserTopicArgs = ArgsOf<typeof endpoints.setUserTopic>;

/** Sets a topic's visibility. Below level 170 a topic can only be muted or not. */
export async function setUserTopic(
  connection: Connection,
  args: SetUserTopicArgs,
  options: CallOptions = {},
): Promise<object> {
  const {level} = connection;
  const {stream_id, topic, visibility_policy: policy} = args;
  if (policy === visibilityPolicies.followed && level < levels.followed) {
    throw serverTooOldFailure(endpoints.setUserTopic.id, 'following topics', levels.followed, level);
  }
  if (level >= levels.setUserTopic) return connection.call(endpoints.setUserTopic, args, options);
  if (policy !== visibilityPolicies.muted && policy !== visibilityPolicies.none) {
    throw serverTooOldFailure(endpoints.setUserTopic.id, 'unmuting topics', levels.setUserTopic, level);
  }
  const mute = policy === visibilityPolicies.muted;
  try {
    const op = mute ? 'add' : 'remove';
    return await connection.call(endpoints.muteTopic, {stream_id, topic, op}, options);
  } catch (error) {
    if (level >= levels.repeatedMute || !isRefusal(error, 'BAD_REQUEST')) throw error;
    if ((await isMuted(connection, args, options)) === mute) return {};
    throw error;
  }
}

/** Returns whether a topic is muted. Below level 169 a repeated mute fails like a wrong channel; a snapshot tells which. */
async function isMuted(
  connection: Connection,
  args: SetUserTopicArgs,
  options: CallOptions,
): Promise<boolean | undefined> {
  const fetched = ['muted_topics', 'user_topic', 'subscription'];
  const state = await connection.call(endpoints.register, {event_types: [], fetch_event_types: fetched}, options);
  if (state.queue_id !== null) {
    await connection.call(endpoints.deleteQueue, {queue_id: state.queue_id}, options).catch(() => {});
  }
  const channel = state.subscriptions?.find(({stream_id}) => stream_id === args.stream_id);
  if (channel === undefined) return undefined;
  const topicName = args.topic.toLowerCase();
  const byId = state.user_topics?.some(
    (row) =>
      row.stream_id === args.stream_id &&
      row.topic_name.toLowerCase() === topicName &&
      row.visibility_policy === visibilityPolicies.muted,
  );
  const byName = state.muted_topics?.some(
    ([name, topic]) => name === channel.name && topic.toLowerCase() === topicName,
  );
  return byId === true || byName === true;
}
