import {archiveChannel} from '#server/actions/channels/archive-channel.ts';
import {setDefaultChannel} from '#server/actions/channels/default-channels.ts';
import {updateChannel} from '#server/actions/channels/update-channel.ts';
import {subscriberIds} from '#server/actions/events/channel-events.ts';
import {deleteTopic} from '#server/actions/messages/delete-message.ts';
import {createChannelWithSubscribers, subscribe, unsubscribe} from '#server/actions/subscriptions/subscribe.ts';
import {
  changeSubscriptionSetting,
  checkSubscriptionChange,
} from '#server/actions/subscriptions/subscription-settings.ts';
import {setTopicPolicy, topicDisplayName} from '#server/actions/topics/user-topics.ts';
import type {RequestContext} from '#server/context.ts';
import {findChannel, findChannelByName, subscribedChannelIds} from '#server/db/channels.ts';
import {receivedTopicsOf, topicsOf} from '#server/db/messages.ts';
import {badRequest} from '#server/http/errors.ts';
import {publicRoute, type Route, route, slicedRoute} from '#server/http/route.ts';
import {
  channelsVisibleTo,
  isSubscribed,
  requireActive,
  requireReadableChannel,
  requireReadableChannelByName,
  requireVisibleChannel,
} from '#server/permissions/channel.ts';
import {requireAccessibleUser} from '#server/permissions/user-access.ts';
import {withoutPauses} from '#server/run-action.ts';
import {channelList, channelSets, channelView} from '#server/views/channel.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';

export const channelsRoutes: readonly Route[] = [
  route(endpoints.getChannels, (call, params) => ({streams: channelList(call, call.actor, params)})),

  route(endpoints.getChannel, (call, {stream_id}) => ({
    stream: channelView(call, requireVisibleChannel(call, call.actor, stream_id)),
  })),

  route(endpoints.getChannelId, (call, {stream}) => ({
    stream_id: requireReadableChannelByName(call, call.actor, stream).id,
  })),

  route(endpoints.getSubscribers, (call, {stream_id}) => ({
    subscribers: subscriberIds(call, requireVisibleChannel(call, call.actor, stream_id).id),
  })),

  route(endpoints.getChannelEmail, (call, {stream_id}) => {
    requireActive(requireReadableChannel(call, call.actor, stream_id));
    throw badRequest('This server receives no e-mail, so its channels have no e-mail addresses.');
  }),

  slicedRoute(endpoints.createChannel, function* (call, params) {
    return {id: (yield* createChannelWithSubscribers(call, call.actor, params)).id};
  }),

  route(endpoints.updateChannel, (call, {stream_id, ...changes}) =>
    updateChannel(call, call.actor, requireVisibleChannel(call, call.actor, stream_id), changes),
  ),

  route(endpoints.archiveChannel, (call, {stream_id}) =>
    archiveChannel(call, call.actor, requireVisibleChannel(call, call.actor, stream_id)),
  ),

  route(endpoints.addDefaultChannel, (call, {stream_id}) =>
    setDefaultChannel(call, requireActive(requireReadableChannel(call, call.actor, stream_id)), true),
  ),

  route(endpoints.removeDefaultChannel, (call, {stream_id}) =>
    setDefaultChannel(call, requireActive(requireVisibleChannel(call, call.actor, stream_id)), false),
  ),
];

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

export const subscriptionsRoutes: readonly Route[] = [
  route(endpoints.getSubscriptions, (call, {include_subscribers: includeSubscribers}) => {
    const sets = channelSets(call, call.actor, {
      includeArchived: false,
      nullNotifications: true,
      includeSubscribers,
    });
    return {subscriptions: sets.subscriptions};
  }),

  slicedRoute(endpoints.subscribe, (call, params) => subscribe(call, call.actor, params)),

  slicedRoute(endpoints.unsubscribe, (call, {subscriptions, principals}) =>
    unsubscribe(call, call.actor, subscriptions, principals),
  ),

  route(endpoints.changeSubscriptions, changeSubscriptions),

  route(endpoints.updateSubscription, (call, change) => {
    checkSubscriptionChange(change);
    changeSubscriptionSetting(call, call.actor, change);
  }),

  route(endpoints.updateSubscriptions, (call, {subscription_data}) => {
    for (const [index, change] of subscription_data.entries()) {
      checkSubscriptionChange(change, `subscription_data[${index}]`);
    }
    for (const change of subscription_data) changeSubscriptionSetting(call, call.actor, change);
    return {};
  }),

  route(endpoints.getSubscriptionStatus, (call, {user_id, stream_id}) => {
    const user = requireAccessibleUser(call, call.actor, user_id);
    const channel = requireVisibleChannel(call, call.actor, stream_id);
    return {is_subscribed: isSubscribed(call, user.id, channel.id)};
  }),

  route(endpoints.getUserChannels, (call, {user_id}) => {
    const user = requireAccessibleUser(call, call.actor, user_id);
    const visible = new Set(channelsVisibleTo(call, call.actor).map((channel) => channel.id));
    return {subscribed_channel_ids: subscribedChannelIds(call.db, user.id).filter((id) => visible.has(id))};
  }),
];

/** Subscribes and unsubscribes in one action: a channel of `delete` that does not exist refuses both. */
function changeSubscriptions(call: RequestContext, params: ParamsOf<typeof endpoints.changeSubscriptions>) {
  if (params.add.length === 0 && params.delete.length === 0) {
    throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
  }
  const added = withoutPauses(subscribe(call, call.actor, {...defaultParams, subscriptions: params.add}, 'add'));
  const removed = withoutPauses(unsubscribe(call, call.actor, params.delete, undefined));
  return {...added, ...removed};
}

const defaultParams: Omit<ParamsOf<typeof endpoints.subscribe>, 'subscriptions'> = {
  principals: undefined,
  authorization_errors_fatal: true,
  send_new_subscription_messages: true,
  announce: false,
  invite_only: false,
  is_web_public: false,
  is_default_stream: false,
  history_public_to_subscribers: undefined,
  message_retention_days: undefined,
  topics_policy: undefined,
  folder_id: undefined,
  default_push_notifications: undefined,
  can_add_subscribers_group: undefined,
  can_remove_subscribers_group: undefined,
  can_administer_channel_group: undefined,
  can_send_message_group: undefined,
  can_subscribe_group: undefined,
  can_move_messages_out_of_channel_group: undefined,
  can_move_messages_within_channel_group: undefined,
  can_resolve_topics_group: undefined,
  can_delete_any_message_group: undefined,
  can_delete_own_message_group: undefined,
  can_create_topic_group: undefined,
};
