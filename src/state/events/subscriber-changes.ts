import {withSlices} from '#state/immutable-updates.ts';
import type {Channel, Subscribers} from '#state/model/channel.ts';
import type {AccountState} from '#state/state.ts';
import type {MapDraft} from '#std/sorted-map.ts';

export type SubscriberChange = 'add' | 'remove';

/** Others, or oneself, begin or cease to subscribe. Lists and counts stay exact as far as they were. */
export function withSubscriberChange(
  state: AccountState,
  change: SubscriberChange,
  channelIds: readonly number[],
  userIds: readonly number[],
): AccountState {
  const changes = channelIds.flatMap((id) => peersOf(state, change, id, userIds) ?? []);
  if (changes.length === 0) return state;
  return withSlices(state, {
    channels: state.channels.edit((draft) => {
      for (const {channel} of changes) draft.set(channel.id, channel);
    }),
    subscribers: state.subscribers.edit((draft) => {
      for (const {channel, subscribers} of changes) setIfKnown(draft, channel.id, subscribers);
    }),
  });
}

function setIfKnown<V>(draft: MapDraft<number, V>, key: number, value: V | undefined): void {
  if (value !== undefined) draft.set(key, value);
}

interface ChangedSubscribers {
  readonly channel: Channel;
  readonly subscribers: Subscribers | undefined;
}

/**
 * Undefined when nothing changes. A list that is whole tells who is new to it; beside one that is not, those who leave
 * may be among those not listed, so the number follows the event alone.
 */
function peersOf(
  state: AccountState,
  change: SubscriberChange,
  channelId: number,
  userIds: readonly number[],
): ChangedSubscribers | undefined {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return undefined;
  const before = state.subscribers.get(channelId);
  if (before === undefined) {
    return {
      channel: counted(channel, change === 'add' ? userIds.length : -userIds.length),
      subscribers: before,
    };
  }
  const ids = change === 'add' ? before.ids.withAll(userIds) : before.ids.withoutAll(userIds);
  const grown = ids.size - before.ids.size;
  if (before.complete) {
    return grown === 0
      ? undefined
      : {channel: {...channel, subscriberCount: ids.size}, subscribers: {...before, ids}};
  }
  const by = change === 'add' ? grown : -userIds.length;
  return by === 0 ? undefined : {channel: counted(channel, by), subscribers: {...before, ids}};
}

function counted(channel: Channel, by: number): Channel {
  const {subscriberCount} = channel;
  if (subscriberCount === undefined) return channel;
  return {...channel, subscriberCount: Math.max(0, subscriberCount + by)};
}
