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
      return event.streams.reduce(created, state);
    case 'delete':
      return deletedChannelIds(event).reduce(withoutChannel, state);
    case 'update': {
      const patch = channelPatch(event);
      if (patch === undefined) return state;
      return withSlices(state, {channels: withFields(state.channels, event.stream_id, channelFields(patch))});
    }
  }
}

/** Made, or come into sight. Who subscribes is told by what follows, unless somebody does already. */
function created(state: AccountState, wire: WireChannel): AccountState {
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

/** Deleted, or gone out of sight. On older servers it may just as well be archived, and its messages still be read. */
function withoutChannel(state: AccountState, id: number): AccountState {
  const known = state.server.abilities.deletedChannelsAreGone ? withoutMessagesOf(state, id) : state;
  return withSlices(known, {
    channels: known.channels.without(id),
    subscriptions: known.subscriptions.without(id),
    subscribers: known.subscribers.without(id),
    topics: known.topics.without(id),
    unreads: clearChannelUnreads(known.unreads, id),
  });
}

/** As if they had been deleted, since nobody is told what becomes of them; but the server still has them as starred. */
function withoutMessagesOf(state: AccountState, id: number): AccountState {
  const message_ids: number[] = [];
  const prefix = topicConversationKey(id, '');
  for (const [key, ids] of state.messages.byConversation.entries(prefix)) {
    if (!key.startsWith(prefix)) break;
    message_ids.push(...ids);
  }
  if (message_ids.length === 0) return state;
  const gone = {id: -1, type: 'delete_message', message_type: 'stream', message_ids} as const;
  return withSlices(applyDeleteMessage(state, gone), {starred: state.starred});
}
