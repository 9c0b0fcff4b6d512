import {initialState} from '#state/initial-state.ts';
import type {Channel, Subscription} from '#state/model/channel.ts';
import {directKey, topicConversationKey} from '#state/model/conversation.ts';
import type {ChannelMessage, DirectMessage} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {type Group, type User, type Users, usersFrom} from '#state/model/user.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {currentLevel} from '#wire/levels.ts';
import {normalizeTerm, type WireTerm} from '#wire/narrow.ts';
import type {WireChannel, WireSubscription} from '#wire/objects/channel.ts';
import type {WireUser} from '#wire/objects/user.ts';
import type {Snapshot} from '#wire/register.ts';
import {serverFeatures} from '#wire/server-features.ts';

/** The user of all examples. */
export const selfId = 10;

export function user(fields: Partial<User> = {}): User {
  const id = fields.id ?? selfId;
  return {
    id,
    fullName: `Person ${id}`,
    email: `person${id}@example.com`,
    deliveryEmail: `person${id}@example.com`,
    role: 400,
    isActive: true,
    isBot: false,
    isSystemBot: false,
    botType: undefined,
    botOwnerId: undefined,
    timezone: '',
    dateJoined: '2025-01-01T00:00:00+00:00',
    isImportedStub: false,
    isDeleted: false,
    profile: {},
    ...fields,
  };
}

/** Returns the slice of these users. */
export function users(...list: readonly User[]): Users {
  return usersFrom(list);
}

export function channel(fields: Partial<Channel> = {}): Channel {
  const id = fields.id ?? 1;
  return {id, name: `channel ${id}`, description: '', isPrivate: false, ...fields};
}

export function subscription(fields: Partial<Subscription> = {}): Subscription {
  return {
    channelId: 1,
    isSubscribed: true,
    color: '#76ce90',
    isMuted: false,
    pinToTop: false,
    desktopNotifications: null,
    audibleNotifications: null,
    pushNotifications: null,
    emailNotifications: null,
    wildcardMentionsNotify: null,
    ...fields,
  };
}

export function group(fields: Partial<Group> = {}): Group {
  return {
    id: 1,
    name: 'group',
    description: '',
    isSystemGroup: false,
    isDeactivated: false,
    members: SortedSet.empty(),
    subgroupIds: SortedSet.empty(),
    ...fields,
  };
}

const plain = {
  senderId: 11,
  senderName: 'Person 11',
  content: 'hello',
  timestamp: 1_767_225_600,
  flags: [],
  reactions: [],
  submessages: [],
  isMe: false,
  editedAt: undefined,
  movedAt: undefined,
};

/** A message in channel 1, topic `talk`, by default. */
export function message(fields: Partial<Omit<ChannelMessage, 'kind' | 'conversationKey'>> = {}): ChannelMessage {
  const fieldsWithDefaults = {...plain, id: 1, channelId: 1, topic: 'talk', topicLinks: [], ...fields};
  return {
    kind: 'channel',
    ...fieldsWithDefaults,
    conversationKey: topicConversationKey(fieldsWithDefaults.channelId, fieldsWithDefaults.topic),
  };
}

/** A direct message with user 11, by default. */
export function direct(fields: Partial<Omit<DirectMessage, 'kind' | 'conversationKey'>> = {}): DirectMessage {
  const fieldsWithDefaults = {...plain, id: 1, userIds: [11], names: {}, ...fields};
  return {kind: 'direct', ...fieldsWithDefaults, conversationKey: directKey(fieldsWithDefaults.userIds)};
}

/** An unsent message of the topic `talk`. */
export function outboxEntry(fields: Partial<OutboxEntry> = {}): OutboxEntry {
  return {
    id: 'a',
    order: 1,
    conversation: {kind: 'topic', channelId: 1, topic: 'talk'},
    content: 'on my way',
    createdAt: 0,
    status: 'sending',
    owner: undefined,
    sentAt: undefined,
    afterMessageId: undefined,
    messageId: undefined,
    problem: undefined,
    draftId: undefined,
    ...fields,
  };
}

export function server(level: number = currentLevel): AccountState['server'] {
  return {...initialState.server, level, abilities: serverFeatures(level)};
}

/** A state that contains only the user, by default. */
export function state(slices: Partial<AccountState> = {}): AccountState {
  return {
    ...initialState,
    self: {userId: selfId},
    server: server(),
    users: users(user()),
    ...slices,
  };
}

/** A user as sent by the server. */
export function wireUser(fields: Partial<WireUser> = {}): WireUser {
  const id = fields.user_id ?? selfId;
  return {
    user_id: id,
    full_name: `Person ${id}`,
    email: `person${id}@example.com`,
    delivery_email: `person${id}@example.com`,
    is_active: true,
    is_bot: false,
    role: 400,
    timezone: '',
    date_joined: '2025-01-01T00:00:00+00:00',
    ...fields,
  };
}

/** A channel as sent by the server. */
export function wireChannel(fields: Partial<WireChannel> = {}): WireChannel {
  const id = fields.stream_id ?? 1;
  return {stream_id: id, name: `channel ${id}`, description: '', invite_only: false, ...fields};
}

/** A subscription as sent by the server. */
export function wireSubscription(fields: Partial<WireSubscription> = {}): WireSubscription {
  return {...wireChannel(fields), color: '#76ce90', is_muted: false, pin_to_top: false, ...fields};
}

/** The response of a server of the current level to a user without any data, by default. */
export function snapshot(fields: Partial<Snapshot> = {}): Snapshot {
  return {
    queue_id: 'queue',
    last_event_id: -1,
    feature_level: currentLevel,
    user_id: selfId,
    realm_users: [wireUser()],
    ...fields,
  };
}

/** Builds an index from a list. */
export function byId<T extends {readonly id: number}>(...items: readonly T[]): SortedMap<number, T> {
  return SortedMap.by(items, ({id}) => id);
}

export function subscribed(...items: readonly Subscription[]): SortedMap<number, Subscription> {
  return SortedMap.by(items, ({channelId}) => channelId);
}

export function narrowFromWire(terms: readonly WireTerm[]): Narrow {
  return terms.map(normalizeTerm);
}
