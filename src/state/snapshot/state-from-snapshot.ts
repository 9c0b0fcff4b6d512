import {initialState} from '#state/initial-state.ts';
import {
  type Channel,
  channelFromWire,
  type Subscribers,
  type Subscription,
  subscribersFromWire,
  subscriptionFromWire,
} from '#state/model/channel.ts';
import {groupFromWire, type Users, usersFromWire} from '#state/model/user.ts';
import {botFromWire} from '#state/slices/bots.ts';
import {directsSlice} from '#state/slices/directs.ts';
import {draftFromWire} from '#state/slices/drafts.ts';
import {emojiFromWire} from '#state/slices/emoji.ts';
import {folderFields} from '#state/slices/folders.ts';
import {linkifierFromWire} from '#state/slices/linkifiers.ts';
import {navigationViewFromWire} from '#state/slices/navigation-views.ts';
import {playgroundFromWire} from '#state/slices/playgrounds.ts';
import {presencesSlice} from '#state/slices/presences.ts';
import {profileFieldFromWire} from '#state/slices/profile-fields.ts';
import {realmFromWire} from '#state/slices/realm.ts';
import {reminderFromWire} from '#state/slices/reminders.ts';
import {scheduledFromWire} from '#state/slices/scheduled.ts';
import {serverFromWire} from '#state/slices/server.ts';
import {settingsFromWire} from '#state/slices/settings.ts';
import {statusMap} from '#state/slices/statuses.ts';
import {unreadsSlice} from '#state/slices/unreads.ts';
import {userTopicsSlice} from '#state/slices/user-topics.ts';
import type {AccountState} from '#state/state.ts';
import {camelKeys} from '#std/camel.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {WireChannel} from '#wire/objects/channel.ts';
import {videoTokens} from '#wire/objects/organization.ts';
import {extraEmojiType, featureLevel, serverVersion} from '#wire/objects/server-settings.ts';
import {defaultChannelIds, type Snapshot} from '#wire/register.ts';
import {serverFeatures} from '#wire/server-features.ts';

/** The facts that a registration's response does not contain. */
interface SnapshotContext {
  /** The address of the server. */
  readonly url: string;
  /** The time of arrival, in milliseconds since the epoch. */
  readonly now: number;
  /** The user, in case the response does not say. */
  readonly self?: {readonly userId: number};
  /** What the server calls its extra emoji; its settings say it, the response may not. */
  readonly extraEmojiType?: string;
  /** The users of an earlier response, which stay in use if nothing changed. */
  readonly knownUsers?: Users;
}

/**
 * Converts a registration's response, of any feature level, to the account state. The slices that only this
 * machine knows, or that are fetched, have their initial values.
 */
export function stateFromSnapshot(snapshot: Snapshot, context: SnapshotContext): AccountState {
  const level = featureLevel(snapshot);
  const self = {userId: snapshot.user_id ?? context.self?.userId ?? initialState.self.userId};
  const channels = channelSlices(snapshot);
  return {
    ...initialState,
    self,
    server: {
      ...initialState.server,
      ...serverFromWire(snapshot, level),
      url: context.url,
      level,
      abilities: serverFeatures(level),
      version: serverVersion(snapshot),
      extraEmojiType: context.extraEmojiType ?? extraEmojiType(snapshot),
    },
    realm: {...initialState.realm, ...realmFromWire(snapshot, level)},
    settings: {...initialState.settings, ...settingsFromWire(snapshot.user_settings ?? {})},
    ...channels,
    ...peopleSlices(snapshot, context.now, context.knownUsers),
    ...messageSlices(snapshot, self.userId),
    ...personalSlices(snapshot, self.userId, channels.channels.values()),
    emoji: SortedMap.by(Object.values(snapshot.realm_emoji ?? {}).map(emojiFromWire), ({id}) => id),
    linkifiers: (snapshot.realm_linkifiers ?? []).map(linkifierFromWire),
    playgrounds: (snapshot.realm_playgrounds ?? []).map(playgroundFromWire),
    domains: snapshot.realm_domains ?? [],
    profileFields: (snapshot.custom_profile_fields ?? []).map(profileFieldFromWire),
  };
}

type ChannelSlices = Pick<AccountState, 'channels' | 'subscriptions' | 'subscribers' | 'defaultChannels' | 'folders'>;

/** Builds the slices about channels from a registration's response. */
function channelSlices(snapshot: Snapshot): ChannelSlices {
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

type PeopleSlices = Pick<AccountState, 'users' | 'bots' | 'groups' | 'statuses' | 'presences' | 'mutedUsers'>;

/** Builds the slices about users from a registration's response that arrived at `now` (milliseconds). */
function peopleSlices(snapshot: Snapshot, now: number, known?: Users): PeopleSlices {
  const {realm_users = [], realm_non_active_users = [], cross_realm_bots = []} = snapshot;
  const deactivated = realm_non_active_users.map((wire) => ({is_active: false, ...wire}));
  const users = usersFromWire([...cross_realm_bots, ...deactivated, ...realm_users], known);
  return {
    users,
    bots: SortedMap.by((snapshot.realm_bots ?? []).map(botFromWire), ({userId}) => userId),
    groups: SortedMap.by((snapshot.realm_user_groups ?? []).map(groupFromWire), ({id}) => id),
    statuses: statusMap(snapshot.user_status ?? {}),
    presences: presencesSlice(snapshot, users, now),
    mutedUsers: SortedMap.by(snapshot.muted_users ?? [], ({id}) => id),
  };
}

type PersonalSlices = Pick<
  AccountState,
  'userTopics' | 'drafts' | 'scheduled' | 'reminders' | 'snippets' | 'navigationViews' | 'alertWords' | 'videoTokens'
>;

/** Builds the slices with the user's own data from a registration's response. */
function personalSlices(snapshot: Snapshot, selfId: number, channels: Iterable<Channel>): PersonalSlices {
  const {drafts = [], scheduled_messages = [], reminders = [], saved_snippets = []} = snapshot;
  return {
    userTopics: userTopicsSlice(snapshot, channels),
    drafts: SortedMap.by(
      drafts.map((wire) => draftFromWire(wire, selfId)),
      ({id}) => id,
    ),
    scheduled: SortedMap.by(
      scheduled_messages.map((wire) => scheduledFromWire(wire, selfId)),
      ({id}) => id,
    ),
    reminders: SortedMap.by(reminders.map(reminderFromWire), ({id}) => id),
    snippets: SortedMap.by(saved_snippets.map(camelKeys), ({id}) => id),
    navigationViews: SortedMap.by(
      (snapshot.navigation_views ?? []).map(navigationViewFromWire),
      ({fragment}) => fragment,
    ),
    alertWords: snapshot.alert_words ?? [],
    videoTokens: videoTokens(snapshot),
  };
}

type MessageSlices = Pick<AccountState, 'unreads' | 'starred' | 'directs' | 'maxMessageId'>;

/** Builds the slices about messages from a registration's response. */
function messageSlices(snapshot: Snapshot, selfId: number): MessageSlices {
  const unreads = unreadsSlice(snapshot, selfId);
  const starred = SortedSet.from(snapshot.starred_messages ?? []);
  const directs = directsSlice(snapshot, selfId);
  const newestDirect = [...directs.values()].reduce((newest, {maxId}) => Math.max(newest, maxId), -1);
  return {
    unreads,
    starred,
    directs,
    maxMessageId: Math.max(
      snapshot.max_message_id ?? -1,
      unreads.byId.lastKey() ?? -1,
      starred.last() ?? -1,
      newestDirect,
    ),
  };
}
