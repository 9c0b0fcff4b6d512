import {deleteTopic} from '#server/actions/messages/delete-message.ts';
import {setTopicPolicy, topicDisplayName} from '#server/actions/topics/user-topics.ts';
import type {RequestContext} from '#server/context.ts';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import {receivedTopicsOf, topicsOf} from '#server/db/topics.ts';
import {badRequest} from '#server/http/errors.ts';
import {publicRoute, type Route, route} from '#server/http/route.ts';
import {requireActive, requireReadableChannel} from '#server/permissions/channel-access.ts';
import {endpoints} from '#wire/endpoints.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';

export const topicsRoutes: readonly Route[] = [
  publicRoute(endpoints.getTopics, (call, {stream_id, allow_empty_topic_name}) => {
    const topics = topicsFor(call, stream_id);
    const name = (topic: string) => topicDisplayName(call, topic, allow_empty_topic_name);
    return {topics: topics.map((topic) => ({name: name(topic.name), max_id: topic.max_id}))};
  }),

  route(endpoints.setUserTopic, (call, {stream_id, topic, visibility_policy}) =>
    setTopicPolicy(call, call.actor, findChannel(call.db, stream_id), topic, visibility_policy),
  ),

  route(endpoints.muteTopic, (call, {stream_id, stream, topic, op}) => {
    if (stream_id !== undefined && stream !== undefined) {
      const parameters = 'stream_id, stream';
      throw badRequest(`Unsupported parameter combination: ${parameters}`, {parameters});
    }
    const channel =
      stream_id === undefined ? findChannelByName(call.db, requiredName(stream)) : findChannel(call.db, stream_id);
    const policy = op === 'add' ? visibilityPolicies.muted : visibilityPolicies.none;
    const invalidToAdd = stream === undefined ? 'Invalid channel ID' : `Invalid channel name '${stream}'`;
    setTopicPolicy(call, call.actor, channel, topic, policy, op === 'remove' ? 'Topic is not muted' : invalidToAdd);
  }),

  route(endpoints.deleteTopic, (call, {stream_id, topic_name}) => {
    const channel = requireActive(requireReadableChannel(call, call.actor, stream_id));
    return {complete: deleteTopic(call, call.actor, channel, topic_name)};
  }),
];

function requiredName(stream: string | undefined): string {
  if (stream === undefined) throw badRequest("Missing 'stream_id' argument");
  return stream;
}

function topicsFor(call: RequestContext, channelId: number) {
  const {actor, db} = call;
  const channel = requireReadableChannel(call, actor, channelId);
  return channel.history_public_to_subscribers === 1
    ? topicsOf(db, channel.id)
    : receivedTopicsOf(db, channel.id, actor.id);
}
