import {withFields, withSlices, withValue} from '#state/immutable-updates.ts';
import {channelFields, channelFromWire, type Subscribers, subscribersFromWire} from '#state/model/channel.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {clearChannelUnreads} from '#state/unreads/unreads.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {type ChannelEvent, channelPatch, deletedChannelIds} from '#wire/events/stream.ts';
import type {WireChannel} from '#wire/objects/channel.ts';
import {applyDeleteMessage} from './delete-message.ts';

export function applyStream(state: AccountState, event: ChannelEvent): AccountState {
  switch (event.op) {
    case 'create':
      return event.streams.reduce(withChannel, state);
    case 'delete':
      return deletedChannelIds(event).reduce(withoutChannel, state);
    case 'update': {
      const patch = channelPatch(event);
      if (patch === undefined) return state;
      return withSlices(state, {channels: withFields(state.channels, event.stream_id, channelFields(patch))});
    }
  }
}

/**
 * Adds a channel that was created or became visible. Events that follow report its subscribers, unless they
 * are already known.
 */
function withChannel(state: AccountState, wire: WireChannel): AccountState {
  const id = wire.stream_id;
  const subscribers = state.subscribers.get(id) ?? subscribersFromWire(wire) ?? subscribersOfNew(wire);
  const channel = {...state.channels.get(id), ...channelFromWire(wire)};
  return withSlices(state, {
    channels: withValue(
      state.channels,
      id,
      subscribers.complete ? {...channel, subscriberCount: subscribers.ids.size} : channel,
    ),
    subscribers: withValue(state.subscribers, id, subscribers),
  });
}

function subscribersOfNew({subscriber_count}: WireChannel): Subscribers {
  return {ids: SortedSet.empty(), complete: subscriber_count === undefined || subscriber_count === 0};
}

/**
 * Removes a channel that was deleted or became invisible. On older servers it may only be archived, and its
 * messages still readable.
 */
function withoutChannel(state: AccountState, id: number): AccountState {
  const base = state.server.abilities.deletedChannelsAreGone ? withoutMessagesOf(state, id) : state;
  return withSlices(base, {
    channels: base.channels.without(id),
    // The server keeps the user's settings, and sends them in no event when the channel becomes visible again.
    subscriptions: withFields(base.subscriptions, id, {isSubscribed: false}),
    subscribers: base.subscribers.without(id),
    topics: base.topics.without(id),
    unreads: clearChannelUnreads(base.unreads, id),
  });
}

/**
 * Removes the channel's messages as if they were deleted, since no events report on them any more; the server
 * still counts them as starred.
 */
function withoutMessagesOf(state: AccountState, id: number): AccountState {
  const message_ids: number[] = [];
  const prefix = topicConversationKey(id, '');
  for (const [key, ids] of state.messages.byConversation.entries(prefix)) {
    if (!key.startsWith(prefix)) break;
    message_ids.push(...ids);
  }
  if (message_ids.length === 0) return state;
  const event = {id: -1, type: 'delete_message', message_type: 'stream', message_ids} as const;
  return withSlices(applyDeleteMessage(state, event), {starred: state.starred});
}
