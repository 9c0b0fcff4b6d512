import {
  type Channel,
  channelFromWire,
  type Subscribers,
  type Subscription,
  subscribersFromWire,
  subscriptionFromWire,
} from '#state/model/channel.ts';
import {keepIfEqual, withValue} from '#state/model/immutable-updates.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {channelKeys} from '#wire/events/event-schema.ts';
import type {WireChannel} from '#wire/objects/channel.ts';
import {defaultChannelIds, type Snapshot} from '#wire/register.ts';
import {numberSetDecoder, savedMap, savedNumberSet} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

/** Returns the records of all channels. The plain list comes first, because the other lists contain more fields. */
export function channelRecords(snapshot: Pick<Snapshot, (typeof channelKeys)[number]>): readonly WireChannel[] {
  const {subscriptions: subscribed = [], unsubscribed = [], never_subscribed = [], streams = []} = snapshot;
  return [...streams, ...never_subscribed, ...unsubscribed, ...subscribed];
}

export const channels: Slice<SortedMap<number, Channel>> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(channelKeys, (snapshot) =>
    SortedMap.empty<number, Channel>().edit((draft) => {
      for (const wire of channelRecords(snapshot)) draft.set(wire.stream_id, channelFromWire(wire));
    }),
  ),
  saved: savedMap('number', {id: 'number', name: 'string', isPrivate: 'boolean'}),
  appliers: {},
};

/** The last known names of channels that the user can no longer see, since this program started. */
export const formerChannels: Slice<SortedMap<number, string>> = {
  initial: SortedMap.empty(),
  registered: 'initial',
  saved: 'no',
  appliers: {},
};

export const subscriptions: Slice<SortedMap<number, Subscription>> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(channelKeys, ({subscriptions: subscribed = [], unsubscribed = []}) =>
    SortedMap.empty<number, Subscription>().edit((draft) => {
      for (const wire of unsubscribed) draft.set(wire.stream_id, subscriptionFromWire(wire, false));
      for (const wire of subscribed) draft.set(wire.stream_id, subscriptionFromWire(wire, true));
    }),
  ),
  saved: savedMap('number', {channelId: 'number', isSubscribed: 'boolean', color: 'string', isMuted: 'boolean'}),
  appliers: {},
};

export const subscribers: Slice<SortedMap<number, Subscribers>, 'subscribers_fetched'> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(channelKeys, (snapshot) =>
    SortedMap.empty<number, Subscribers>().edit((draft) => {
      for (const wire of channelRecords(snapshot)) {
        const known = subscribersFromWire(wire);
        if (known !== undefined) draft.set(wire.stream_id, known);
      }
    }),
  ),
  saved: savedMap('number', {ids: numberSetDecoder, complete: 'boolean'}),
  appliers: {
    subscribers_fetched: (before, {channelId, userIds}) =>
      withValue(before, channelId, {ids: SortedSet.from(userIds), complete: true}),
  },
};

export const defaultChannels: Slice<SortedSet<number>, 'default_streams'> = {
  initial: SortedSet.empty(),
  registered: fromSnapshot(['realm_default_streams'], (snapshot) => SortedSet.from(defaultChannelIds(snapshot))),
  saved: savedNumberSet,
  appliers: {
    default_streams: (before, {default_streams}) =>
      keepIfEqual(before, SortedSet.from(defaultChannelIds({realm_default_streams: default_streams}))),
  },
};
