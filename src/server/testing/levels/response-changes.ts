import {findChannel} from '#server/db/channels.ts';
import {findUser} from '#server/db/users.ts';
import type {Json} from '#server/downgrade.ts';
import {ApiError, badRequest} from '#server/errors.ts';
import {commonCodes, legacyPolicies, legacyPolicy} from '#server/organization/permission-rules.ts';
import {hasPermission, isGuest, organization} from '#server/permissions/has-permission.ts';
import {channelView} from '#server/views/channel.ts';
import {apiEmail} from '#server/views/user.ts';
import {levels} from '#wire/levels.ts';
import {videoProviders} from '#wire/objects/organization.ts';
import {
  type DowngradeContext,
  type JsonRewrite,
  type LevelChange,
  olderObject,
  removedResponseFields,
  reshaped,
  without,
} from './object-changes.ts';

export const responseChanges: readonly LevelChange[] = [
  removedResponseFields(182, 'export.request', 'id'),
  removedResponseFields(levels.clientDevices, 'queue.register', 'devices'),
  removedResponseFields(levels.onboardingSteps, 'queue.register', 'onboarding_steps'),
  removedResponseFields(171, 'key.fetch', 'user_id'),
  removedResponseFields(171, 'key.dev-fetch', 'user_id'),
  removedResponseFields(508, 'message.send', 'message_url', 'message_link'),
  removedResponseFields(218, 'message.send', 'automatic_new_visibility_policy'),
  removedResponseFields(285, 'message.edit', 'detached_uploads'),
  removedResponseFields(355, 'flag.update', 'ignored_because_not_subscribed_channels'),
  removedResponseFields(355, 'flag.update-narrow', 'ignored_because_not_subscribed_channels'),
  removedResponseFields(211, 'flag.mark-all-read', 'complete'),
  removedResponseFields(211, 'topic.delete', 'complete'),
  removedResponseFields(285, 'upload.create', 'filename'),
  removedResponseFields(272, 'upload.create', 'url'),
  removedResponseFields(257, 'server.settings', 'realm_url'),
  removedResponseFields(263, 'presence.update', 'presence_last_update_id'),
  reshaped(488, 'server.settings', (body) => ({
    ...body,
    authentication_methods: without(body.authentication_methods as Json, ['discord']),
  })),
  reshaped(497, 'presence.get', (body) => without(body, ['server_timestamp'])),
  reshaped(497, 'presence.get-by-email', (body) => without(body, ['server_timestamp'])),
  reshaped(497, 'presence.get', singlePresenceFormat),
  reshaped(497, 'presence.get-by-email', singlePresenceFormat),
  reshaped(397, 'subscription.add', (body) => without(body, ['new_subscription_messages_sent'])),
  ...['subscription.add', 'subscription.change'].map((endpoint) =>
    reshaped(289, endpoint, (body, context) => ({
      ...body,
      subscribed: byEmail(body.subscribed, context),
      already_subscribed: byEmail(body.already_subscribed, context),
    })),
  ),
  replace(330, 'realm_default_streams', (ids, context) => ({
    realm_default_streams: olderChannels(ids as unknown[], context),
  })),
  replace(330, 'realm_default_stream_groups', (groups, context) => ({
    realm_default_stream_groups: olderChannelGroups(groups as Json[], context),
  })),
  reshaped(219, 'queue.register', (state) => onlyPolicies(state, [1, 2])),
  reshaped(170, 'queue.register', (state) => onlyPolicies(state, [1])),
];

/** Returns the channel objects that an older server sends instead of ids. */
export function olderChannels(ids: readonly unknown[], context: DowngradeContext): Json[] {
  const {server} = context;
  const act = {server, now: Math.floor(server.clock.now() / 1000)};
  return ids.flatMap((id) => {
    const channel = findChannel(server.db, Number(id));
    return channel === undefined ? [] : [olderObject('channel', channelView(act, channel), context)];
  });
}

/** Returns groups of default channels with channel objects instead of ids. */
export function olderChannelGroups(groups: readonly Json[], context: DowngradeContext): Json[] {
  return groups.map((group) => ({...group, streams: olderChannels(group.streams as unknown[], context)}));
}

/** Removes one presence format: 487 replaced the legacy keys by the modern ones, 497 sends both. */
function singlePresenceFormat(body: Json, {level}: DowngradeContext): Json {
  const {active_timestamp, idle_timestamp, ...legacy} = (body.presence ?? {}) as Json;
  return {...body, presence: level >= 487 ? {active_timestamp, idle_timestamp} : legacy};
}

function byEmail(names: unknown, {server}: DowngradeContext): Json {
  const entries = Object.entries((names ?? {}) as Json).map(([id, channels]) => {
    const user = findUser(server.db, Number(id));
    return [user === undefined ? id : apiEmail(server, user), channels];
  });
  return Object.fromEntries(entries);
}

function onlyPolicies(state: Json, policies: readonly number[]): Json {
  if (!Array.isArray(state.user_topics)) return state;
  return {
    ...state,
    user_topics: state.user_topics.filter((topic: Json) => policies.includes(Number(topic.visibility_policy))),
  };
}

/** Error codes with the level that added each; older servers answer with a plain BAD_REQUEST. */
const codeLevels: Readonly<Record<string, number>> = {
  REACTION_ALREADY_EXISTS: 193,
  REACTION_DOES_NOT_EXIST: 193,
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 229,
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 229,
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: 172,
};

export const errorChanges: readonly LevelChange[] = [
  ...Object.entries(codeLevels).map(
    ([code, level]): LevelChange => ({
      kind: 'error',
      level,
      error: code,
      before: (error) => badRequest(error.message),
    }),
  ),
  {
    kind: 'error',
    level: 208,
    error: 'UNKNOWN_PRINCIPAL',
    before: (error) => new ApiError('UNAUTHORIZED_PRINCIPAL', error.message, 403),
  },
];

/** Video providers with the level that added each. */
export const videoProviderLevels = [
  [levels.videoConstructor, videoProviders.constructorGroups],
  [levels.videoNextcloud, videoProviders.nextcloudTalk],
  [levels.conferenceCalls, videoProviders.conference],
] as const;

/** Keys of a registration's response by the level that added them. */
const registerKeys: Readonly<Record<number, readonly string[]>> = {
  128: ['realm_org_type'],
  129: ['realm_want_advertise_in_communities_directory'],
  137: ['realm_enable_read_receipts'],
  140: ['server_emoji_data_url'],
  162: ['realm_move_messages_within_stream_limit_seconds', 'realm_move_messages_between_streams_limit_seconds'],
  164: ['server_presence_ping_interval_seconds', 'server_presence_offline_threshold_seconds'],
  179: ['scheduled_messages'],
  203: ['realm_date_created'],
  209: ['realm_create_multiuse_invite_group'],
  204: [
    'server_typing_started_wait_period_milliseconds',
    'server_typing_stopped_wait_period_milliseconds',
    'server_typing_started_expiry_period_milliseconds',
  ],
  212: ['realm_jitsi_server_url', 'server_jitsi_server_url'],
  216: ['realm_enable_guest_user_indicator'],
  221: ['server_supported_permission_settings'],
  225: ['realm_can_access_all_users_group'],
  231: ['realm_push_notifications_enabled_end_timestamp'],
  242: ['realm_zulip_update_announcements_stream_id'],
  246: ['realm_require_unique_names'],
  257: ['realm_url'],
  263: ['presence_last_update_id'],
  270: ['realm_direct_message_initiator_group'],
  273: ['server_thumbnail_formats'],
  281: ['realm_can_delete_any_message_group'],
  297: ['saved_snippets'],
  299: ['realm_can_manage_all_groups'],
  331: ['realm_moderation_request_channel_id'],
  332: ['server_min_deactivated_realm_deletion_days', 'server_max_deactivated_realm_deletion_days'],
  334: ['realm_empty_topic_display_name'],
  338: ['password_max_length'],
  344: ['realm_can_create_write_only_bots_group'],
  348: ['realm_enable_guest_user_dm_warning'],
  350: ['realm_can_summarize_topics_group', 'server_can_summarize_topics'],
  363: ['realm_can_manage_billing_group'],
  367: ['realm_can_resolve_topics_group'],
  369: ['navigation_tour_video_url'],
  389: ['channel_folders'],
  390: ['navigation_views'],
  392: ['realm_can_set_topics_policy_group'],
  397: ['max_bulk_new_subscription_messages'],
  399: ['reminders'],
  407: ['realm_can_set_delete_message_policy_group'],
  409: ['realm_require_e2ee_push_notifications'],
  410: ['max_channel_folder_name_length', 'max_channel_folder_description_length'],
  415: ['max_reminder_note_length'],
  416: ['realm_welcome_message_custom_text'],
  434: ['realm_send_channel_events_messages'],
  435: ['server_report_message_types'],
  442: ['tenor_api_key'],
  438: ['realm_owner_full_content_access'],
  453: ['gif_rating_policy_options'],
  466: ['realm_uuid'],
  469: ['realm_media_preview_size'],
  477: ['realm_workplace_users_group'],
  481: ['idle_queue_timeout_secs'],
  493: ['has_webex_token', 'has_conference_token'],
  // The exact levels are not documented.
  501: ['klipy_api_key', 'realm_default_avatar_source'],
};

function register(level: number, before: JsonRewrite): LevelChange {
  return reshaped(level, 'queue.register', before);
}

/** Makes the change that replaces a key of a registration's response where it is present. */
function replace(level: number, key: string, make: (value: unknown, context: DowngradeContext) => Json): LevelChange {
  return register(level, (state, context) =>
    key in state ? Object.assign(without(state, [key]), make(state[key], context)) : state,
  );
}

/** Makes the changes for an organization setting that had another name or value, in registrations and in events. */
function setting(level: number, name: string, older: (value: unknown) => Json): LevelChange[] {
  const prefixed = (value: unknown) =>
    Object.fromEntries(Object.entries(older(value)).map(([key, value]) => [`realm_${key}`, value]));
  return [replace(level, `realm_${name}`, prefixed), settingEvent(level, name, older)];
}

function settingEvent(level: number, name: string, older: (value: unknown) => Json): LevelChange {
  return {
    kind: 'event',
    level,
    type: 'realm',
    before(body) {
      if (body.op === 'update' && body.property === name) {
        return Object.entries(older(body.value)).map(([property, value]) => ({
          type: 'realm',
          body: {...body, property, value},
        }));
      }
      const data = body.data as Json | undefined;
      if (data === undefined || !(name in data)) return [{type: 'realm', body}];
      const olderData = {...without(data, [name]), ...older(data[name])};
      return Object.keys(olderData).length === 0 ? [] : [{type: 'realm', body: {...body, data: olderData}}];
    },
  };
}

/** The changes that remove newer keys from registrations and, for settings, from events. */
const registerChanges = Object.entries(registerKeys).flatMap(([level, keys]) => [
  removedResponseFields(Number(level), 'queue.register', ...keys),
  ...keys
    .filter((key) => key.startsWith('realm_'))
    .map((key) => settingEvent(Number(level), key.slice('realm_'.length), () => ({}))),
]);

export const settingChanges: readonly LevelChange[] = [
  ...registerChanges,
  ...legacyPolicies.flatMap(([level, name, policy, codes = commonCodes]) =>
    setting(level, name, (group) => ({[policy]: legacyPolicy(group, codes)})),
  ),
  ...setting(453, 'gif_rating_policy', (rating) => ({giphy_rating: rating})),
  ...setting(488, 'authentication_methods', (methods) => ({
    authentication_methods: without(methods as Json, ['discord']),
  })),
  ...setting(392, 'topics_policy', (policy) => ({mandatory_topics: policy === 'disable_empty_topic'})),
  ...setting(358, 'message_edit_history_visibility_policy', (policy) => ({
    allow_edit_history: policy !== 'none',
  })),
  ...setting(241, 'new_stream_announcements_stream_id', (id) => ({notifications_stream_id: id})),
  ...setting(241, 'signup_announcements_stream_id', (id) => ({signup_notifications_stream_id: id})),
  ...setting(195, 'default_code_block_language', (language) => ({
    default_code_block_language: language === '' ? null : language,
  })),
  ...setting(138, 'message_content_edit_limit_seconds', (limit) => ({
    message_content_edit_limit_seconds: limit ?? 0,
  })),
  // Jitsi needs no setup, so it replaces the providers that were added later.
  ...videoProviderLevels.flatMap(([level, provider]) =>
    setting(level, 'video_chat_provider', (chosen) => ({
      video_chat_provider: chosen === provider ? videoProviders.jitsi : chosen,
    })),
  ),
  ...videoProviderLevels.map(([level, provider]) =>
    replace(level, 'realm_available_video_chat_providers', (providers) => ({
      realm_available_video_chat_providers: Object.fromEntries(
        Object.entries(providers as Record<string, Json>).filter(([, {id}]) => id !== provider),
      ),
    })),
  ),
  replace(151, 'custom_profile_field_types', (types) => ({
    custom_profile_field_types: without(types as Json, ['PRONOUNS']),
  })),
  register(380, (state) => (state.is_admin === true ? {...state, is_moderator: false} : state)),
  register(341, (state, {server}) => {
    const user = typeof state.user_id === 'number' ? findUser(server.db, state.user_id) : undefined;
    if (user === undefined) return state;
    const act = {server, now: Math.floor(server.clock.now() / 1000)};
    const isAllowed = !isGuest(user) && hasPermission(act, user, organization(act).can_add_subscribers_group);
    return {...state, can_subscribe_other_users: isAllowed};
  }),
  replace(134, 'user_topics', (topics, {server}) => ({
    muted_topics: (topics as Json[]).map(({stream_id, topic_name, last_updated}) => [
      findChannel(server.db, Number(stream_id))?.name ?? '',
      topic_name,
      last_updated,
    ]),
  })),
  // Before empty topics were allowed, a message without a topic got this one.
  {kind: 'setting', level: 334, before: {empty_topic_display_name: '(no topic)'}},
];
