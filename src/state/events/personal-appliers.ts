import type {Appliers} from '#state/local-events.ts';
import {isChannelMuted, isTopicMuted, mentionsUser, topicPolicy} from '#state/messages/event-conversations.ts';
import {withLoggedEvent} from '#state/messages/event-log.ts';
import {channelFromWire, type Subscription, subscribersFromWire, subscriptionFromWire} from '#state/model/channel.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import {keepIfEqual, withFields, withValue} from '#state/model/immutable-updates.ts';
import {withoutChanges} from '#state/slices/event-log.ts';
import {settingsFromWire} from '#state/slices/settings.ts';
import {statuses} from '#state/slices/statuses.ts';
import {userTopicFromWire, userTopicsFromMuted} from '#state/slices/user-topics.ts';
import type {AccountState} from '#state/state.ts';
import {withTimelinesAfter} from '#state/timelines/timeline-changes.ts';
import {clearChannelUnreads, withMention} from '#state/unreads/unreads.ts';
import {withSlice, withSlices} from '#state/with-slices.ts';
import {camelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {subscriptionPatch} from '#wire/events/channels.ts';
import {settingsPatch} from '#wire/events/personal.ts';
import type {EventOf, ServerEvent} from '#wire/events.ts';
import {subscriptionProperties, visibilityPolicies, type WireSubscription} from '#wire/objects/channel.ts';
import {withSubscriberChange} from './organization-appliers.ts';

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

function withSettings(state: AccountState, event: EventOf<'subscription', 'update'>): AccountState {
  const subscriptions = withFields(state.subscriptions, event.stream_id, subscriptionFields(event));
  return withMutingChanged(state, withSlices(state, {subscriptions}), event, event.stream_id);
}

/** Converts a settings change. Muting arrives under either of two names, in any order. */
function subscriptionFields(event: EventOf<'subscription', 'update'>): Partial<Subscription> {
  const property = subscriptionProperties.find((name) => name === event.property);
  const value = property && subscriptionPatch(event)?.[property];
  if (property === undefined || value === undefined) return {};
  return property === 'in_home_view' ? {isMuted: value === false} : camelKeys({[property]: value});
}

function applyUserTopic(state: AccountState, event: EventOf<'user_topic'>): AccountState {
  const {userTopics} = state;
  const key = topicConversationKey(event.stream_id, event.topic_name);
  // The server keeps the spelling that the topic had when it first got a policy.
  const topic = userTopics.get(key)?.topic ?? event.topic_name;
  const after = withSlices(state, {
    userTopics:
      event.visibility_policy === visibilityPolicies.none
        ? userTopics.without(key)
        : withValue(userTopics, key, {...userTopicFromWire(event), topic}),
  });
  return withMutingChanged(state, after, event, event.stream_id, event.topic_name);
}

/** Below level 134 the event contains the whole list, and muting is the only policy. */
function applyMutedTopics(state: AccountState, event: EventOf<'muted_topics'>): AccountState {
  const after = withSlice(state, 'userTopics', userTopicsFromMuted(event.muted_topics, state.channels.values()));
  return after === state ? state : withTimelinesRechecked(after, event);
}

function applyMutedUsers(state: AccountState, event: EventOf<'muted_users'>): AccountState {
  const mutedUsers = SortedMap.by(event.muted_users, ({id}) => id);
  const after = withSlice(state, 'mutedUsers', mutedUsers);
  return after === state ? state : withTimelinesRechecked(after, event);
}

function applyUserSettings(state: AccountState, event: EventOf<'user_settings'>): AccountState {
  const patch = settingsPatch(event);
  if (patch === undefined) return state;
  const settings = {...state.settings, ...settingsFromWire(patch)};
  // Turning the synchronization off deletes the server's drafts without events.
  const drafts: AccountState['drafts'] =
    settings.enableDraftsSynchronization === false ? SortedMap.empty() : state.drafts;
  const after = withSlices(state, {settings: keepIfEqual(state.settings, settings), drafts});
  // Becoming invisible changes one's own status without an event of its own.
  if (typeof patch.presence_enabled !== 'boolean') return after;
  const status = {id: event.id, user_id: state.self.userId, away: !patch.presence_enabled};
  return withSlices(after, {
    statuses: statuses.appliers.user_status(after.statuses, {type: 'user_status', ...status}, after),
  });
}

/** The appliers of events about the user's own data that change several slices. */
export const personalAppliers = {
  user_topic: applyUserTopic,
  muted_topics: applyMutedTopics,
  muted_users: applyMutedUsers,
  user_settings: applyUserSettings,
  subscription: applySubscription,
} satisfies Partial<Appliers>;

/**
 * Updates unreads and timelines after a topic or a channel was muted, unmuted or followed: wildcard mentions
 * start or stop counting, and views such as `in:home` change, including those whose response is in flight.
 * `before` is the state without the change; `after` still has its unreads and timelines. Costs O(unread
 * messages there).
 *
 * The server does not say which unread mentions are wildcard mentions: messages that are not loaded stay as
 * they are.
 */
function withMutingChanged(
  before: AccountState,
  after: AccountState,
  event: ServerEvent,
  channelId: number,
  topic?: string,
): AccountState {
  if (before.userTopics === after.userTopics && before.subscriptions === after.subscriptions) return after;
  if (!hasChanged(before, after, channelId, topic)) return after;
  const topics =
    topic === undefined ? (after.unreads.channels.get(channelId) ?? []) : [topicConversationKey(channelId, topic)];
  const unreads = [...topics].reduce((index, key) => withMentionsIn(after, index, key), after.unreads);
  return withTimelinesRechecked({...after, unreads}, event);
}

/** Rechecks every timeline after a muting change, and logs the event for responses in flight. */
function withTimelinesRechecked(state: AccountState, event: ServerEvent): AccountState {
  return withTimelinesAfter({...state, log: withLoggedEvent(state, event)}, event);
}

function hasChanged(before: AccountState, after: AccountState, channelId: number, topic: string | undefined): boolean {
  if (topic === undefined) return isChannelMuted(before, channelId) !== isChannelMuted(after, channelId);
  return (
    topicPolicy(before, channelId, topic) !== topicPolicy(after, channelId, topic) ||
    isTopicMuted(before, channelId, topic) !== isTopicMuted(after, channelId, topic)
  );
}

function withMentionsIn(state: AccountState, unreads: AccountState['unreads'], key: string): AccountState['unreads'] {
  const conversation = unreads.conversations.get(key);
  let after = unreads;
  for (const id of conversation?.ids ?? []) {
    const flags = state.messages.byId.get(id)?.flags;
    if (conversation === undefined || flags === undefined) continue;
    after = withMention(after, id, mentionsUser(state, flags, conversation.conversation));
  }
  return after;
}
