import {withSlices} from '#state/immutable-updates.ts';
import type {Channel, Subscribers} from '#state/model/channel.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import type {MapDraft} from '#std/sorted-map.ts';

export type SubscriberChange = 'add' | 'remove';

/** Applies users subscribing or unsubscribing. Lists and counts stay as exact as they were. */
export function withSubscriberChange(
  state: AccountState,
  change: SubscriberChange,
  channelIds: readonly number[],
  userIds: readonly number[],
): AccountState {
  const changes = channelIds.flatMap((id) => changedSubscribers(state, change, id, userIds) ?? []);
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
 * Returns undefined when nothing changes. A complete list shows who is new; with a partial list, users who
 * leave may be among the unlisted ones, so the count follows the event alone.
 */
function changedSubscribers(
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
      channel: withSubscriberCount(channel, change === 'add' ? userIds.length : -userIds.length),
      subscribers: before,
    };
  }
  if (before.awaitsList && change === 'add') {
    // The number that the channel was sent with may be from before or after this event.
    const listed = before.ids.withAll(userIds);
    const ids = isSubscribed(state, channelId) ? listed.with(state.self.userId) : listed;
    return {channel: {...channel, subscriberCount: ids.size}, subscribers: {ids, complete: true}};
  }
  const ids = change === 'add' ? before.ids.withAll(userIds) : before.ids.withoutAll(userIds);
  const sizeDifference = ids.size - before.ids.size;
  if (before.complete) {
    return sizeDifference === 0
      ? undefined
      : {channel: {...channel, subscriberCount: ids.size}, subscribers: {...before, ids}};
  }
  const difference = change === 'add' ? sizeDifference : -userIds.length;
  return difference === 0
    ? undefined
    : {channel: withSubscriberCount(channel, difference), subscribers: {...before, ids}};
}

function withSubscriberCount(channel: Channel, difference: number): Channel {
  const {subscriberCount} = channel;
  if (subscriberCount === undefined) return channel;
  return {...channel, subscriberCount: Math.max(0, subscriberCount + difference)};
}
