import type {ArgsOf} from './endpoint.ts';
import type {endpoints} from './endpoints.ts';
import {type eventSchemas, eventTypes} from './events.ts';
import {levels} from './levels.ts';
import {tokenProvider} from './objects/organization.ts';
import {realm} from './objects/realm.ts';
import {versionFields} from './objects/server-settings.ts';
import {fullClientCapabilities, ownAccount, type Snapshot} from './register.ts';

/** The last three are for Zulip's web application. */
type SnapshotKey = keyof Snapshot | 'devices' | 'onboarding_steps' | 'realm_user_settings_defaults';
/** The events that Zulip's web application reads and this client does not request. */
type WebClientEvent = 'device' | 'onboarding_steps' | `realm_${'export' | 'export_consent' | 'user_settings_defaults'}`;

const realmKeys = Object.keys(realm.entries) as readonly SnapshotKey[];
const ownAccountKeys = Object.keys(ownAccount) as readonly SnapshotKey[];
const versionKeys = Object.keys(versionFields) as readonly SnapshotKey[];
const channelKeys = ['subscriptions', 'unsubscribed', 'never_subscribed', 'streams'] as const;
const userKeys = ['realm_users', 'realm_non_active_users', 'cross_realm_bots'] as const;

/**
 * The keys of a registration's response that the events of each type change.
 *
 * While a server makes the snapshot, other requests change its data. It applies the events of that time to the snapshot
 * only if their type is one of the fetch types, and the queue continues after all of them: a client that keeps one of
 * these keys has to fetch the type.
 */
const keysByEvent: Readonly<Record<keyof typeof eventSchemas | WebClientEvent, readonly SnapshotKey[]>> = {
  message: ['max_message_id', 'unread_msgs', 'recent_private_conversations'],
  update_message: ['unread_msgs'],
  delete_message: ['max_message_id', 'unread_msgs', 'starred_messages', 'recent_private_conversations'],
  update_message_flags: ['unread_msgs', 'starred_messages'],
  reaction: [],
  submessage: [],
  attachment: [],
  typing: [],
  typing_edit_message: [],
  subscription: [...channelKeys, 'unread_msgs'],
  stream: [...channelKeys, 'unread_msgs', 'realm_default_streams'],
  default_streams: ['realm_default_streams'],
  default_stream_groups: ['realm_default_stream_groups'],
  channel_folder: ['channel_folders'],
  user_topic: ['user_topics', 'unread_msgs'],
  muted_topics: ['muted_topics'],
  // Deactivated users leave groups and channels without another event.
  realm_user: [...userKeys, ...ownAccountKeys, ...channelKeys, 'realm_user_groups', 'user_status', 'presences'],
  realm_bot: ['realm_bots'],
  user_group: ['realm_user_groups'],
  user_status: ['user_status'],
  presence: ['presences', 'presence_last_update_id'],
  realm: [...realmKeys, ...ownAccountKeys],
  realm_domains: ['realm_domains'],
  realm_emoji: ['realm_emoji'],
  realm_linkifiers: ['realm_linkifiers', 'realm_filters'],
  realm_playgrounds: ['realm_playgrounds'],
  custom_profile_fields: ['custom_profile_fields', ...userKeys],
  user_settings: ['user_settings', 'drafts'],
  muted_users: ['muted_users'],
  alert_words: ['alert_words'],
  drafts: ['drafts'],
  saved_snippets: ['saved_snippets'],
  scheduled_messages: ['scheduled_messages'],
  reminders: ['reminders'],
  navigation_view: ['navigation_views'],
  invites_changed: [],
  device: ['devices'],
  onboarding_steps: ['onboarding_steps'],
  realm_export: [],
  realm_export_consent: [],
  realm_user_settings_defaults: ['realm_user_settings_defaults'],
  restart: versionKeys,
  heartbeat: [],
};

/** Returns the keys of a registration's response that an event of this type changes. */
export function snapshotKeysChangedBy(eventType: string): readonly string[] {
  if (Object.hasOwn(keysByEvent, eventType)) return keysByEvent[eventType as keyof typeof keysByEvent];
  return tokenProvider(eventType) === undefined ? [] : [eventType];
}

/** The parts of the snapshot whose fetch type is not the type of the events that change them. */
const namedParts = [
  'starred_messages',
  'channel_folders',
  'realm_user_groups',
  'navigation_views',
  'recent_private_conversations',
  'video_calls',
] as const;
export type FetchType = (typeof namedParts)[number] | keyof typeof keysByEvent;

/** What the client fetches: the parts of the snapshot, and the types of all events that change one. */
export const fetchTypes: readonly string[] = [
  ...namedParts,
  ...eventTypes.filter((type) => snapshotKeysChangedBy(type).length > 0),
];

/** In seconds. A laptop that sleeps for less than an hour can continue with its queue. */
const idleQueueTimeout = 3600;

/** Returns the client's arguments for `POST /register` on a server of this level. */
export function registerArgs(level: number): ArgsOf<typeof endpoints.register> {
  return {
    event_types: [...eventTypes],
    fetch_event_types: [...fetchTypes],
    apply_markdown: false,
    client_gravatar: true,
    include_subscribers: includeSubscribers(level),
    slim_presence: true,
    presence_history_limit_days: 14,
    idle_queue_timeout: idleQueueTimeout,
    client_capabilities: fullClientCapabilities,
  };
}

/** Requests full subscriber lists, which are long, only if the server does not send subscriber counts. */
function includeSubscribers(level: number): 'true' | 'false' | 'partial' {
  if (level >= levels.partialSubscribers) return 'partial';
  return level >= levels.subscriberCount ? 'false' : 'true';
}
