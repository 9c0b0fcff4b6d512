import {archiveChannel} from '#server/actions/channels/archive-channel.ts';
import {setDefaultChannel} from '#server/actions/channels/default-channels.ts';
import {updateChannel} from '#server/actions/channels/update-channel.ts';
import {subscriberIds} from '#server/actions/events/channel-events.ts';
import {createChannelWithSubscribers} from '#server/actions/subscriptions/subscribe.ts';
import {type Route, route, slicedRoute} from '#server/http/route.ts';
import {
  requireActive,
  requireReadableChannel,
  requireReadableChannelByName,
  requireVisibleChannel,
} from '#server/permissions/channel-access.ts';
import {channelEmail, channelList, channelView} from '#server/views/channel.ts';
import {endpoints} from '#wire/endpoints.ts';

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

  route(endpoints.getChannelEmail, (call, {stream_id, sender_id}) => ({
    email: channelEmail(
      call,
      call.actor,
      requireActive(requireReadableChannel(call, call.actor, stream_id)),
      sender_id,
    ),
  })),

  slicedRoute(endpoints.createChannel, function* (call, params) {
    const {name, description, subscribers, announce} = params;
    const input = {name, description, subscribers, announce, settings: params};
    return {id: (yield* createChannelWithSubscribers(call, call.actor, input)).id};
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
