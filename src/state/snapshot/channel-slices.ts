import {
  type Channel,
  channelFromWire,
  type Subscribers,
  type Subscription,
  subscribersFromWire,
  subscriptionFromWire,
} from '#state/model/channel.ts';
import {folderFields} from '#state/model/organization.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {WireChannel} from '#wire/objects/channel.ts';
import {defaultChannelIds, type Snapshot} from '#wire/register.ts';

type ChannelSlices = Pick<AccountState, 'channels' | 'subscriptions' | 'subscribers' | 'defaultChannels' | 'folders'>;

/** Builds the slices about channels from a registration's response. */
export function channelSlices(snapshot: Snapshot): ChannelSlices {
  const {subscriptions = [], unsubscribed = [], never_subscribed = [], streams = []} = snapshot;
  // The plain list of all channels comes first, because the other lists contain more fields.
  const all: readonly WireChannel[] = [...streams, ...never_subscribed, ...unsubscribed, ...subscriptions];
  return {
    channels: SortedMap.empty<number, Channel>().edit((draft) => {
      for (const wire of all) draft.set(wire.stream_id, channelFromWire(wire));
    }),
    subscriptions: SortedMap.empty<number, Subscription>().edit((draft) => {
      for (const wire of unsubscribed) draft.set(wire.stream_id, subscriptionFromWire(wire, false));
      for (const wire of subscriptions) draft.set(wire.stream_id, subscriptionFromWire(wire, true));
    }),
    subscribers: SortedMap.empty<number, Subscribers>().edit((draft) => {
      for (const wire of all) {
        const subscribers = subscribersFromWire(wire);
        if (subscribers !== undefined) draft.set(wire.stream_id, subscribers);
      }
    }),
    defaultChannels: SortedSet.from(defaultChannelIds(snapshot)),
    folders: SortedMap.by((snapshot.channel_folders ?? []).map(folderFields), ({id}) => id),
  };
}
