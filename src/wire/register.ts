import {channel, defaultChannelGroup, folder} from '#wire/objects/channel.ts';
import {domain, emojiTable, linkifier, playground} from '#wire/objects/organization.ts';
import {navigationView, reminder, scheduledMessage, snippet} from '#wire/objects/personal.ts';
import {mutedUser, user, userStatuses} from '#wire/objects/user.ts';
import {userSettings} from '#wire/objects/user-settings.ts';
import {fallback, flag, json, number, optional, raw, since} from './endpoint.ts';
import {levels} from './levels.ts';
import {termPair} from './narrow.ts';
import {mutedTopic, subscription, unreads, userTopic} from './objects/channel.ts';
import {group} from './objects/group.ts';
import {draft} from './objects/personal.ts';
import {realm} from './objects/realm.ts';
import {versionFields} from './objects/server-settings.ts';
import {anyPresences, bot, profileField, profileFieldTypeTable} from './objects/user.ts';
import {type Infer, int, ints, nullableText, object, openEnum, s, strings} from './schema.ts';

export const clientCapabilities = object(
  {notification_settings_null: s.boolean()},
  {
    bulk_message_deletion: s.boolean(),
    user_avatar_url_field_optional: s.boolean(),
    stream_typing_notifications: s.boolean(),
    user_settings_object: s.boolean(),
    linkifier_url_template: s.boolean(),
    user_list_incomplete: s.boolean(),
    include_deactivated_groups: s.boolean(),
    archived_channels: s.boolean(),
    empty_topic_name: s.boolean(),
    simplified_presence_events: s.boolean(),
    individual_emoji_changes: s.boolean(),
  },
);
export type ClientCapabilities = Infer<typeof clientCapabilities>;

/** The client's capabilities: all. Older servers ignore unknown names, so one set is enough for all. */
export const fullClientCapabilities: Required<ClientCapabilities> = Object.fromEntries(
  Object.keys(clientCapabilities.entries).map((name) => [name, true]),
) as Required<ClientCapabilities>;

const idleTimeout = s.union(
  [
    s.pipe(
      s.number(),
      s.safeInteger('{at}["constrained-int"] is not an integer'),
      s.minValue(1, '{at}["constrained-int"] is too small'),
    ),
    s.literal('mobile'),
  ],
  '{at}["constrained-int"] is not an integer',
);

const tooShort = '{at} is too short (minimum 2 items)';
const registeredTerm = s.pipe(s.array(s.unknown()), s.minLength(2, tooShort), termPair);

export const registerParams = {
  event_types: optional(json(strings)),
  fetch_event_types: optional(json(strings)),
  apply_markdown: fallback(flag, false),
  /** True by default; not allowed without a login. */
  client_gravatar: optional(flag),
  include_subscribers: fallback(raw(s.picklist(['true', 'false', 'partial'])), 'false'),
  slim_presence: fallback(flag, false),
  presence_history_limit_days: since(levels.presenceHistory, optional(number)),
  all_public_streams: fallback(flag, false),
  narrow: fallback(json(s.array(registeredTerm)), []),
  idle_queue_timeout: since(levels.idleQueueTimeout, optional(json(idleTimeout))),
  client_capabilities: optional(json(clientCapabilities)),
};

export const recentConversation = object({max_message_id: int, user_ids: ints});

export const ownAccount = {
  user_id: int,
  email: s.string(),
  delivery_email: nullableText,
  full_name: s.string(),
  avatar_url: nullableText,
  avatar_url_medium: nullableText,
  avatar_source: openEnum('G', 'U', 'J'),
  is_owner: s.boolean(),
  is_admin: s.boolean(),
  is_moderator: s.boolean(),
  is_guest: s.boolean(),
  can_create_public_streams: s.boolean(),
  can_create_private_streams: s.boolean(),
  can_create_web_public_streams: s.boolean(),
  can_create_streams: s.boolean(),
  can_invite_others_to_realm: s.boolean(),
  can_subscribe_other_users: s.boolean(),
};

const blocks = {
  max_message_id: int,
  unread_msgs: unreads,
  starred_messages: ints,
  subscriptions: s.array(subscription),
  unsubscribed: s.array(subscription),
  never_subscribed: s.array(channel),
  streams: s.array(channel),
  realm_default_streams: s.union([ints, s.array(channel)]),
  realm_default_stream_groups: s.array(defaultChannelGroup),
  channel_folders: s.array(folder),
  realm_users: s.array(user),
  realm_non_active_users: s.array(user),
  cross_realm_bots: s.array(user),
  realm_bots: s.array(bot),
  realm_user_groups: s.array(group),
  realm_domains: s.array(domain),
  realm_emoji: emojiTable,
  realm_linkifiers: s.array(linkifier),
  realm_filters: s.array(s.unknown()),
  realm_playgrounds: s.array(playground),
  custom_profile_fields: s.array(profileField),
  custom_profile_field_types: profileFieldTypeTable,
  user_settings: userSettings,
  user_status: userStatuses,
  user_topics: s.array(userTopic),
  muted_topics: s.array(mutedTopic),
  muted_users: s.array(mutedUser),
  presences: anyPresences,
  presence_last_update_id: int,
  drafts: s.array(draft),
  saved_snippets: s.array(snippet),
  scheduled_messages: s.array(scheduledMessage),
  reminders: s.array(reminder),
  navigation_views: s.array(navigationView),
  recent_private_conversations: s.array(recentConversation),
  alert_words: strings,
  // `videoTokens` reads any other `has_*_token`.
  has_zoom_token: s.boolean(),
  has_webex_token: s.boolean(),
  has_conference_token: s.boolean(),
  stop_words: strings,
};

/** The initial state of the organization; the requested types decide which parts are present. */
export const snapshot = object(
  {queue_id: nullableText, last_event_id: int},
  {idle_queue_timeout_secs: int, ...versionFields, ...realm.entries, ...ownAccount, ...blocks},
);
export type Snapshot = Infer<typeof snapshot>;

/** Returns the ids of the default channels; servers below level 330 send channels instead of ids. */
export function defaultChannelIds(snapshot: Pick<Snapshot, 'realm_default_streams'>): number[] {
  return (snapshot.realm_default_streams ?? []).map((entry) => (typeof entry === 'number' ? entry : entry.stream_id));
}
