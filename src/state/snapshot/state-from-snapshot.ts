import {initialState} from '#state/initial-state.ts';
import {canBeUnread} from '#state/messages/event-conversations.ts';
import {
  type Channel,
  channelFromWire,
  type Subscribers,
  type Subscription,
  subscribersFromWire,
  subscriptionFromWire,
} from '#state/model/channel.ts';
import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  directConversation,
  directKey,
  topicConversation,
} from '#state/model/conversation.ts';
import {
  botFromWire,
  draftFromWire,
  emojiFromWire,
  folderFields,
  linkifierFromWire,
  navigationViewFromWire,
  playgroundFromWire,
  presenceFromWire,
  profileFieldFromWire,
  realmFromWire,
  reminderFromWire,
  scheduledFromWire,
  serverFromWire,
  settingsFromWire,
  statusFromWire,
  userTopicFromWire,
  userTopicMap,
  userTopicsFromMuted,
} from '#state/model/from-wire.ts';
import {noUnreads, type Unreads} from '#state/model/unread.ts';
import {groupFromWire, type Users, usersFromWire} from '#state/model/user.ts';
import type {AccountState, Presence, Presences, UserStatus} from '#state/state.ts';
import {buildUnreads} from '#state/unreads/unreads.ts';
import {camelKeys} from '#std/camel.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {WireChannel} from '#wire/objects/channel.ts';
import {otherUserId, visibilityPolicies, type WireUnreads} from '#wire/objects/channel.ts';
import {videoTokens} from '#wire/objects/organization.ts';
import {extraEmojiType, featureLevel, serverVersion} from '#wire/objects/server-settings.ts';
import {type AnyPresences, isLegacyPresences, modernPresence} from '#wire/objects/user.ts';
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
    ...messageSlices(snapshot, self.userId, channels.subscriptions),
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

function statusMap(statuses: NonNullable<Snapshot['user_status']>): AccountState['statuses'] {
  return SortedMap.empty<number, UserStatus>().edit((draft) => {
    for (const [id, wire] of Object.entries(statuses)) {
      const status = statusFromWire(wire);
      if (status !== undefined) draft.set(Number(id), status);
    }
  });
}

function presencesSlice(snapshot: Snapshot, users: AccountState['users'], now: number): Presences {
  const {presences = {}, presence_last_update_id = -1, server_timestamp} = snapshot;
  return {
    byUser: SortedMap.from(presenceEntries(presences, users)),
    lastUpdateId: presence_last_update_id,
    serverOffset: server_timestamp === undefined ? 0 : server_timestamp - now / 1000,
    registeredAt: now,
  };
}

function presenceEntries(table: AnyPresences, users: AccountState['users']): (readonly [number, Presence])[] {
  if (!isLegacyPresences(table)) {
    return Object.entries(table).map(([id, wire]) => [Number(id), presenceFromWire(wire)]);
  }
  const ids = new Map([...users.values()].map(({email, id}) => [email, id]));
  return Object.entries(table).flatMap(([email, wire]) => {
    const id = ids.get(email);
    return id === undefined ? [] : [[id, presenceFromWire(modernPresence(wire))] as const];
  });
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

function userTopicsSlice(snapshot: Snapshot, channels: Iterable<Channel>): AccountState['userTopics'] {
  const {user_topics, muted_topics = []} = snapshot;
  if (user_topics === undefined) return userTopicsFromMuted(muted_topics, channels);
  const configured = user_topics.filter(({visibility_policy}) => visibility_policy !== visibilityPolicies.none);
  return userTopicMap(configured.map(userTopicFromWire));
}

type MessageSlices = Pick<AccountState, 'unreads' | 'starred' | 'directs' | 'maxMessageId'>;

/** Builds the slices about messages from a registration's response. */
function messageSlices(
  snapshot: Snapshot,
  selfId: number,
  subscriptions: AccountState['subscriptions'],
): MessageSlices {
  const unreads = unreadsSlice(snapshot, selfId, subscriptions);
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

/**
 * Drops unread messages of channels that the user can no longer see, which some servers count: they could
 * never be read.
 */
function unreadsSlice(
  {unread_msgs, subscriptions: listed}: Snapshot,
  selfId: number,
  subscriptions: AccountState['subscriptions'],
): Unreads {
  if (unread_msgs === undefined) return noUnreads;
  return unreadsFromWire(
    unread_msgs,
    selfId,
    (conversation) => listed === undefined || canBeUnread({subscriptions}, conversation),
  );
}

function directsSlice(snapshot: Snapshot, selfId: number): AccountState['directs'] {
  const recent = snapshot.recent_private_conversations ?? [];
  return SortedMap.by(
    recent.map(({user_ids, max_message_id}) => ({
      userIds: directConversation(user_ids, selfId).userIds,
      maxId: max_message_id,
    })),
    ({userIds}) => directKey(userIds),
  );
}

interface UnreadIdsGroup {
  readonly key: ConversationKey;
  conversation: Conversation;
  ids: number[];
}

/** Builds the unread index from the server's lists, without conversations that are not visible. */
function unreadsFromWire(
  wire: WireUnreads,
  selfId: number,
  isVisible: (conversation: Conversation) => boolean,
): Unreads {
  const groups = unreadIdGroups(wire, selfId).filter(({conversation}) => isVisible(conversation));
  return buildUnreads(
    groups.map(({key, conversation, ids}) => ({key, conversation, ids: SortedSet.from(ids)})),
    wire.mentions ?? [],
    wire.old_unreads_missing ?? false,
  );
}

function unreadIdGroups(wire: WireUnreads, selfId: number): UnreadIdsGroup[] {
  const groups = new Map<ConversationKey, UnreadIdsGroup>();
  const add = (conversation: Conversation, ids: readonly number[]) => {
    const key = conversationKey(conversation);
    const group = groups.get(key);
    if (group === undefined) {
      if (ids.length > 0) groups.set(key, {key, conversation, ids: [...ids]});
      return;
    }
    // Topics that differ in case only are one, spelled as in the latest message.
    if ((ids.at(-1) ?? 0) > (group.ids.at(-1) ?? 0)) group.conversation = conversation;
    group.ids = [...group.ids, ...ids].sort((a, b) => a - b);
  };
  for (const {stream_id, topic, unread_message_ids} of wire.streams) {
    add(topicConversation(stream_id, topic), unread_message_ids);
  }
  for (const {user_ids_string, unread_message_ids} of wire.huddles) {
    add(directConversation(user_ids_string.split(',').map(Number), selfId), unread_message_ids);
  }
  for (const entry of wire.pms) {
    const other = otherUserId(entry);
    if (other !== undefined) add(directConversation([other], selfId), entry.unread_message_ids);
  }
  return [...groups.values()];
}
