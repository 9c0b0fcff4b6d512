import {subscribe, unsubscribe} from '#server/actions/subscriptions/subscribe.ts';
import {
  changeSubscriptionSetting,
  checkSubscriptionChange,
} from '#server/actions/subscriptions/subscription-settings.ts';
import type {RequestContext} from '#server/context.ts';
import {subscribedChannelIds} from '#server/db/subscriptions.ts';
import {badRequest} from '#server/http/errors.ts';
import {type Route, route, slicedRoute} from '#server/http/route.ts';
import {channelsVisibleTo} from '#server/permissions/audience.ts';
import {isSubscribed} from '#server/permissions/channel.ts';
import {requireVisibleChannel} from '#server/permissions/channel-access.ts';
import {requireAccessibleUser} from '#server/permissions/user-access.ts';
import {withoutPauses} from '#server/run-action.ts';
import {channelSets} from '#server/views/channel-sets.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';

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

  route(endpoints.updateSubscription, (call, {stream_id: channelId, property, value}) => {
    checkSubscriptionChange({property, value});
    changeSubscriptionSetting(call, call.actor, {channelId, property, value});
  }),

  route(endpoints.updateSubscriptions, (call, {subscription_data}) => {
    for (const [index, change] of subscription_data.entries()) {
      checkSubscriptionChange(change, `subscription_data[${index}]`);
    }
    for (const {stream_id: channelId, property, value} of subscription_data) {
      changeSubscriptionSetting(call, call.actor, {channelId, property, value});
    }
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
