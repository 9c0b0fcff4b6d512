import {withFields, withSlices, withValue} from '#state/immutable-updates.ts';
import {channelFields, channelFromWire, type Subscribers, subscribersFromWire} from '#state/model/channel.ts';
import type {AccountState} from '#state/state.ts';
import {clearChannelUnreads} from '#state/unreads/unreads.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {channelPatch, deletedChannelIds} from '#wire/events/channels.ts';
import type {EventOf} from '#wire/events.ts';
import type {WireChannel} from '#wire/objects/channel.ts';

export function applyStream(state: AccountState, event: EventOf<'stream'>): AccountState {
  switch (event.op) {
    case 'create':
      return event.streams.reduce(withChannel, state);
    case 'delete':
      return deletedChannelIds(event).reduce(withoutChannel, state);
    case 'update': {
      const patch = channelPatch(event);
      if (patch === undefined) return state;
      return withSlices(state, {
        channels: withFields(state.channels, event.stream_id, channelFields(patch)),
        // A registration has none either; after unarchiving, the session registers again for them.
        userTopics: patch.is_archived === true ? withoutPolicies(state.userTopics, event.stream_id) : state.userTopics,
      });
    }
  }
}

function withoutPolicies(userTopics: AccountState['userTopics'], channelId: number): AccountState['userTopics'] {
  return [...userTopics].reduce(
    (kept, [key, topic]) => (topic.channelId === channelId ? kept.without(key) : kept),
    userTopics,
  );
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
    formerChannels: state.formerChannels.without(id),
    subscribers: withValue(state.subscribers, id, subscribers),
  });
}

function subscribersOfNew({subscriber_count}: WireChannel): Subscribers {
  const isEmpty = subscriber_count === undefined || subscriber_count === 0;
  return {ids: SortedSet.empty(), complete: isEmpty, ...(!isEmpty && {awaitsList: true})};
}

/**
 * Removes a channel that was deleted or became invisible. On older servers it may only be archived, and its messages
 * still readable.
 */
function withoutChannel(state: AccountState, id: number): AccountState {
  const name = state.channels.get(id)?.name;
  return withSlices(state, {
    channels: state.channels.without(id),
    formerChannels: name === undefined ? state.formerChannels : state.formerChannels.with(id, name),
    // The server keeps the user's settings, and sends them in no event when the channel becomes visible again.
    subscriptions: withFields(state.subscriptions, id, {isSubscribed: false}),
    subscribers: state.subscribers.without(id),
    topics: state.topics.without(id),
    unreads: clearChannelUnreads(state.unreads, id),
  });
}
