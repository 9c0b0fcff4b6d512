import {withFields, withSlices, withValue} from '#state/immutable-updates.ts';
import {withoutChanges} from '#state/messages/event-log.ts';
import {channelFromWire, type Subscription, subscribersFromWire, subscriptionFromWire} from '#state/model/channel.ts';
import type {AccountState} from '#state/state.ts';
import {withMutingChanged} from '#state/unreads/muting-changes.ts';
import {clearChannelUnreads} from '#state/unreads/unreads.ts';
import {subscriptionPatch} from '#wire/events/channels.ts';
import type {EventOf} from '#wire/events.ts';
import type {WireSubscription} from '#wire/objects/subscription.ts';
import {withSubscriberChange} from './subscriber-changes.ts';

export function applySubscription(state: AccountState, event: EventOf<'subscription'>): AccountState {
  switch (event.op) {
    case 'add':
      return event.subscriptions.reduce(
        (before, wire) => withMutingChanged(before, withSubscription(before, wire), event, wire.stream_id),
        withSlices(state, {log: withoutChanges(state.log)}),
      );
    case 'remove':
      return event.subscriptions.reduce(
        (before, {stream_id}) => withMutingChanged(before, withoutSubscription(before, stream_id), event, stream_id),
        withSlices(state, {log: withoutChanges(state.log)}),
      );
    case 'update':
      return withSettings(state, event);
    case 'peer_add':
      return withSubscriberChange(state, 'add', event.stream_ids, event.user_ids);
    case 'peer_remove':
      return withSubscriberChange(state, 'remove', event.stream_ids, event.user_ids);
  }
}

function withSubscription(state: AccountState, wire: WireSubscription): AccountState {
  const id = wire.stream_id;
  const subscribers = subscribersFromWire(wire);
  const channel = {...state.channels.get(id), ...channelFromWire(wire)};
  const after = withSlices(state, {
    channels: withValue(state.channels, id, channel),
    formerChannels: state.formerChannels.without(id),
    subscriptions: withValue(state.subscriptions, id, subscriptionFromWire(wire, true)),
    // No events kept a list current that was fetched without a subscription.
    topics: withFields(state.topics, id, {complete: false, completeUntil: undefined}),
  });
  if (subscribers === undefined) {
    // The count in the record is current, but the list lacks at least the user.
    const {channels} = after;
    return withSlices(withSubscriberChange(after, 'add', [id], [state.self.userId]), {channels});
  }
  return withSlices(after, {subscribers: withValue(after.subscribers, id, subscribers)});
}

/** Removes the data that would become outdated, because no events about the channel's messages arrive any more. */
function withoutSubscription(state: AccountState, id: number): AccountState {
  const subscription = state.subscriptions.get(id);
  if (subscription?.isSubscribed === false) return state;
  const after = withSubscriberChange(state, 'remove', [id], [state.self.userId]);
  return withSlices(after, {
    subscriptions: withFields(after.subscriptions, id, {isSubscribed: false}),
    unreads: clearChannelUnreads(after.unreads, id),
    topics: after.topics.without(id),
  });
}

function withSettings(state: AccountState, event: Extract<EventOf<'subscription'>, {op: 'update'}>): AccountState {
  const subscriptions = withFields(state.subscriptions, event.stream_id, subscriptionFields(event));
  return withMutingChanged(state, withSlices(state, {subscriptions}), event, event.stream_id);
}

/** Converts a settings change. Muting arrives under either of two names, in any order. */
function subscriptionFields(event: Extract<EventOf<'subscription'>, {op: 'update'}>): Partial<Subscription> {
  const patch = subscriptionPatch(event);
  if (patch === undefined) return {};
  const isMuted = patch.is_muted ?? (patch.in_home_view === undefined ? undefined : !patch.in_home_view);
  return {
    ...(isMuted !== undefined && {isMuted}),
    ...(patch.color !== undefined && {color: patch.color}),
    ...(patch.pin_to_top !== undefined && {pinToTop: patch.pin_to_top}),
    ...(patch.desktop_notifications !== undefined && {desktopNotifications: patch.desktop_notifications}),
    ...(patch.audible_notifications !== undefined && {audibleNotifications: patch.audible_notifications}),
    ...(patch.push_notifications !== undefined && {pushNotifications: patch.push_notifications}),
    ...(patch.email_notifications !== undefined && {emailNotifications: patch.email_notifications}),
    ...(patch.wildcard_mentions_notify !== undefined && {
      wildcardMentionsNotify: patch.wildcard_mentions_notify,
    }),
  };
}
