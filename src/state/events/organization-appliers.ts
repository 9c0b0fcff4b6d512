import type {Appliers} from '#state/local-events.ts';
import {
  type Channel,
  channelFields,
  channelFromWire,
  type Subscribers,
  subscribersFromWire,
} from '#state/model/channel.ts';
import {keepIfEqual, withFields, withValue} from '#state/model/immutable-updates.ts';
import {type Group, groupFields, groupFromWire, userFields, userFromWire} from '#state/model/user.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {clearChannelUnreads} from '#state/unreads/unreads.ts';
import {withSlices} from '#state/with-slices.ts';
import {camelKeys} from '#std/camel.ts';
import {type MapDraft, SortedSet} from '#std/sorted-map.ts';
import {channelPatch, deletedChannelIds} from '#wire/events/channels.ts';
import type {PersonUpdate} from '#wire/events/people.ts';
import type {EventOf} from '#wire/events.ts';
import type {WireChannel} from '#wire/objects/channel.ts';
import type {WireUser} from '#wire/objects/user.ts';

function applyRealmUser(state: AccountState, event: EventOf<'realm_user'>): AccountState {
  switch (event.op) {
    case 'add':
      return withUser(state, event.person);
    case 'update':
      return withUserChange(state, event.person);
    case 'remove':
      return state.server.abilities.removedUsersAreHidden
        ? withoutUser(state, event.person.user_id)
        : withUserChange(state, {user_id: event.person.user_id, is_active: false});
  }
}

/** Adds a user. Below level 222 it may be a reactivated one: the known address stays if the record has none. */
function withUser(state: AccountState, wire: WireUser): AccountState {
  const user = userFromWire(wire);
  const known = wire.delivery_email === undefined ? state.users.get(user.id)?.deliveryEmail : undefined;
  return withSlices(state, {
    users: withValue(state.users, user.id, known === undefined ? user : {...user, deliveryEmail: known}),
  });
}

function withUserChange(state: AccountState, change: PersonUpdate): AccountState {
  const before = state.users.get(change.user_id);
  if (before === undefined) return state;
  const after = withSlices(state, {
    users: withFields(state.users, change.user_id, userFields(change, before)),
  });
  return change.is_active === false ? withoutMembership(after, change.user_id) : after;
}

/**
 * Removes a deactivated user from all groups and subscriber lists. Servers that send partial subscriber lists report
 * each channel separately, so partial lists and their counts wait for that. Visits every group and channel.
 */
function withoutMembership(state: AccountState, userId: number): AccountState {
  const groups = [...state.groups.values()].filter(({members}) => members.has(userId));
  const channelIds = [...state.subscribers]
    .filter(([, {complete, ids}]) => complete && ids.has(userId))
    .map(([channelId]) => channelId);
  const after = withSubscriberChange(state, 'remove', channelIds, [userId]);
  if (groups.length === 0) return after;
  return withSlices(after, {
    groups: after.groups.edit((draft) => {
      for (const group of groups) draft.set(group.id, {...group, members: group.members.without(userId)});
    }),
  });
}

/** Removes a user who became invisible: no event will update their data any more. */
function withoutUser(state: AccountState, userId: number): AccountState {
  const {presences} = state;
  const byUser = presences.byUser.without(userId);
  return withSlices(state, {
    users: state.users.without(userId),
    statuses: state.statuses.without(userId),
    presences: byUser === presences.byUser ? presences : {...presences, byUser},
  });
}

type Groups = AccountState['groups'];

function groupsAfter({groups, users}: AccountState, event: EventOf<'user_group'>): Groups {
  switch (event.op) {
    case 'add':
      return withValue(groups, event.group.id, groupFromWire(event.group));
    case 'remove':
      return groups.without(event.group_id);
    case 'update':
      return withFields(groups, event.group_id, groupFields(event.data));
    case 'add_members':
      return withChange(groups, event.group_id, 'members', (ids) =>
        // Deactivated users are members of no group, though events may add them to that of full members.
        ids.withAll(event.user_ids.filter((id) => users.get(id)?.isActive !== false)),
      );
    case 'remove_members':
      return withChange(groups, event.group_id, 'members', (ids) => ids.withoutAll(event.user_ids));
    case 'add_subgroups':
      return withChange(groups, event.group_id, 'subgroupIds', (ids) => ids.withAll(event.direct_subgroup_ids));
    case 'remove_subgroups':
      return withChange(groups, event.group_id, 'subgroupIds', (ids) => ids.withoutAll(event.direct_subgroup_ids));
  }
}

/** Groups can be large: comparing sizes shows whether an addition or a removal changed anything. */
function withChange(
  groups: Groups,
  id: number,
  key: 'members' | 'subgroupIds',
  change: (ids: Group['members']) => Group['members'],
): Groups {
  const group = groups.get(id);
  if (group === undefined) return groups;
  const ids = change(group[key]);
  return ids.size === group[key].size ? groups : groups.with(id, {...group, [key]: ids});
}

function applyStream(state: AccountState, event: EventOf<'stream'>): AccountState {
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
    // Nobody told of it when it was archived while it was hidden.
    userTopics: channel.isArchived ? withoutPolicies(state.userTopics, id) : state.userTopics,
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

function applyCustomProfileFields(state: AccountState, event: EventOf<'custom_profile_fields'>): AccountState {
  const profileFields = event.fields.map(camelKeys);
  const ids = new Set(profileFields.map(({id}) => id));
  const removedIds = state.profileFields.filter(({id}) => !ids.has(id)).map(({id}) => id);
  return withSlices(state, {
    profileFields: keepIfEqual(state.profileFields, profileFields),
    users: withoutProfileValues(state.users, removedIds),
  });
}

/** Removes the values of deleted fields: no other event reports that they are gone. */
function withoutProfileValues(users: AccountState['users'], fieldIds: readonly number[]): AccountState['users'] {
  if (fieldIds.length === 0) return users;
  const removed = new Set(fieldIds.map(String));
  return users.edit((draft) => {
    for (const user of users.values()) {
      const entries = Object.entries(user.profile);
      const kept = entries.filter(([id]) => !removed.has(id));
      if (kept.length < entries.length) draft.set(user.id, {...user, profile: Object.fromEntries(kept)});
    }
  });
}

/** The appliers of events about the organization: channels, users, groups and settings. */
export const organizationAppliers = {
  stream: applyStream,
  default_stream_groups: (state) => state,
  realm_user: applyRealmUser,
  user_group: (state, event) => withSlices(state, {groups: groupsAfter(state, event)}),
  custom_profile_fields: applyCustomProfileFields,
  // Invitations are fetched on demand, and again after this event.
  invites_changed: (state) => state,
  heartbeat: (state) => state,
} satisfies Partial<Appliers>;

type SubscriberChange = 'add' | 'remove';

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
