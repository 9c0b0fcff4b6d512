import {levels} from '#wire/levels.ts';
import {
  fieldsOf,
  type Infer,
  int,
  nullableInt,
  nullableText,
  object,
  openEnum,
  openIntEnum,
  s,
  strings,
  timestamp,
} from '#wire/schema.ts';
import {groupSetting} from './group.ts';

/**
 * The organization's permissions that are group settings, with the names of `PATCH /realm` and `realm` events, and the level
 * that introduced each.
 */
export const realmGroupSettingLevels = {
  can_access_all_users_group: 225,
  can_add_custom_emoji_group: 307,
  can_add_subscribers_group: 341,
  can_create_bots_group: 344,
  can_create_groups: 299,
  can_create_private_channel_group: 266,
  can_create_public_channel_group: 264,
  can_create_web_public_channel_group: 280,
  can_create_write_only_bots_group: 344,
  can_delete_any_message_group: 281,
  can_delete_own_message_group: 291,
  can_invite_users_group: 321,
  can_manage_all_groups: 299,
  can_mention_many_users_group: 352,
  can_move_messages_between_channels_group: 310,
  can_move_messages_between_topics_group: 316,
  can_resolve_topics_group: 367,
  can_set_delete_message_policy_group: levels.channelDeleteGroups,
  can_set_topics_policy_group: levels.topicsPolicy,
  create_multiuse_invite_group: 209,
  direct_message_initiator_group: 270,
  direct_message_permission_group: 270,
};
export type RealmGroupSetting = keyof typeof realmGroupSettingLevels;

/** The settings that are on or off and that requests change, with the level that introduced each. */
export const realmFlagLevels = {
  allow_message_editing: 0,
  enable_read_receipts: levels.readReceipts,
  inline_image_preview: 0,
  inline_url_embed_preview: 0,
  enable_guest_user_indicator: 216,
  enable_guest_user_dm_warning: 348,
  enable_spectator_access: 0,
  emails_restricted_to_domains: 0,
  invite_required: 0,
  name_changes_disabled: 0,
  avatar_changes_disabled: 0,
  email_changes_disabled: 0,
  disallow_disposable_email_addresses: 0,
  require_unique_names: 246,
};

const historyVisibility = openEnum('all', 'moves', 'none');

/** The organization's properties without the prefix `realm_`, as in events. */
export const realmProperties = {
  ...fieldsOf(realmGroupSettingLevels, groupSetting),
  ...fieldsOf(realmFlagLevels, s.boolean()),
  name: s.string(),
  description: s.string(),
  rendered_description: s.string(),
  url: s.string(),
  uri: s.string(),
  icon_url: s.string(),
  icon_source: s.string(),
  bot_domain: s.string(),
  default_language: s.string(),
  empty_topic_display_name: s.string(),
  topics_policy: openEnum('allow_empty_topic', 'disable_empty_topic'),
  mandatory_topics: s.boolean(),
  message_content_edit_limit_seconds: nullableInt,
  message_content_delete_limit_seconds: nullableInt,
  move_messages_within_stream_limit_seconds: nullableInt,
  move_messages_between_streams_limit_seconds: nullableInt,
  message_edit_history_visibility_policy: historyVisibility,
  allow_edit_history: s.boolean(),
  presence_disabled: s.boolean(),
  wildcard_mention_policy: int,
  delete_own_message_policy: int,
  move_messages_between_streams_policy: int,
  edit_topic_policy: int,
  create_public_stream_policy: int,
  create_private_stream_policy: int,
  create_web_public_stream_policy: int,
  private_message_policy: int,
  user_group_edit_policy: int,
  add_custom_emoji_policy: int,
  invite_to_realm_policy: int,
  invite_to_stream_policy: int,
  bot_creation_policy: int,
  waiting_period_threshold: int,
  message_retention_days: nullableInt,
  default_code_block_language: nullableText,
  video_chat_provider: openIntEnum(0, 1, 3, 4, 5, 6, 7, 8),
  available_video_chat_providers: s.record(s.string(), object({name: s.string(), id: int})),
  jitsi_server_url: nullableText,
  new_stream_announcements_stream_id: int,
  signup_announcements_stream_id: int,
  notifications_stream_id: int,
  signup_notifications_stream_id: int,
  moderation_request_channel_id: int,
  date_created: timestamp,
  push_notifications_enabled: s.boolean(),
  uuid: s.string(),
  upload_quota_mib: nullableInt,
  default_external_accounts: s.record(
    s.string(),
    object({name: s.string()}, {text: s.string(), hint: s.string(), url_pattern: s.string()}),
  ),
};

type Prefixed<T> = {[K in keyof T & string as `realm_${K}`]: T[K]};

export function prefixed<T extends Record<string, unknown>>(fields: T): Prefixed<T> {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [`realm_${name}`, schema])) as Prefixed<T>;
}

/** The organization's properties with the prefix `realm_`, as in the snapshot. */
export const realmFields = {...prefixed(realmProperties), realm_uuid: s.string()};

const permissionSetting = object(
  {},
  {
    require_system_group: s.boolean(),
    allow_internet_group: s.boolean(),
    allow_nobody_group: s.boolean(),
    allow_everyone_group: s.boolean(),
    default_group_name: s.string(),
    default_for_system_groups: nullableText,
    allowed_system_groups: strings,
  },
);
export type PermissionSetting = Infer<typeof permissionSetting>;

const permissionTable = s.record(s.string(), permissionSetting);

/** Properties of the server that the snapshot contains. */
export const limitFields = {
  max_message_length: int,
  max_topic_length: int,
  max_stream_name_length: int,
  max_stream_description_length: int,
  max_channel_folder_name_length: int,
  max_channel_folder_description_length: int,
  max_reminder_note_length: int,
  max_bulk_new_subscription_messages: int,
  max_file_upload_size_mib: int,
  max_avatar_file_size_mib: int,
  max_icon_file_size_mib: int,
  max_logo_file_size_mib: int,
  password_min_length: int,
  password_max_length: int,
  password_min_guesses: int,
};

export const serverFields = {
  server_presence_ping_interval_seconds: int,
  server_presence_offline_threshold_seconds: int,
  server_typing_started_wait_period_milliseconds: int,
  server_typing_stopped_wait_period_milliseconds: int,
  server_typing_started_expiry_period_milliseconds: int,
  event_queue_longpoll_timeout_seconds: int,
  server_emoji_data_url: s.string(),
  server_thumbnail_formats: s.array(
    object({name: s.string()}, {max_width: int, max_height: int, format: s.string(), animated: s.boolean()}),
  ),
  server_generation: int,
  server_timestamp: s.number(),
  server_web_public_streams_enabled: s.boolean(),
  server_jitsi_server_url: nullableText,
  jitsi_server_url: nullableText,
  server_supported_permission_settings: object(
    {},
    {realm: permissionTable, stream: permissionTable, group: permissionTable},
  ),
  server_report_message_types: s.array(object({key: s.string(), name: s.string()})),
  development_environment: s.boolean(),
  zulip_plan_is_not_limited: s.boolean(),
};

/** The part of a snapshot for fetch type `realm`. */
export const realm = object({}, {...realmFields, ...limitFields, ...serverFields});
export type WireRealm = Infer<typeof realm>;

/**
 * Returns the organization's properties, or a patch of them, with current names and values: properties of older servers are
 * added under their current names.
 */
export function modernRealm(fields: WireRealm, level: number): WireRealm {
  const present: WireRealm = {...fields};
  if (level < levels.editLimitNull && fields.realm_message_content_edit_limit_seconds === 0) {
    present.realm_message_content_edit_limit_seconds = null;
  }
  if (fields.realm_default_code_block_language === null) present.realm_default_code_block_language = '';
  present.realm_url ??= fields.realm_uri;
  present.realm_new_stream_announcements_stream_id ??= fields.realm_notifications_stream_id;
  present.realm_signup_announcements_stream_id ??= fields.realm_signup_notifications_stream_id;
  if (level < levels.topicsPolicy && fields.realm_mandatory_topics !== undefined) {
    present.realm_topics_policy = fields.realm_mandatory_topics ? 'disable_empty_topic' : 'allow_empty_topic';
  }
  if (level < levels.historyVisibility && fields.realm_allow_edit_history !== undefined) {
    present.realm_message_edit_history_visibility_policy = fields.realm_allow_edit_history ? 'all' : 'none';
  }
  for (const [policy, group] of replacedPolicies) if (present[group] !== undefined) delete present[policy];
  // Events have the policy without its older twin.
  const policy = fields.realm_message_edit_history_visibility_policy;
  if (policy !== undefined) present.realm_allow_edit_history = policy !== 'none';
  // Beside its current name, the older field contains the effective value of the server's and the organization's settings.
  if (level < levels.jitsiUrls) present.server_jitsi_server_url ??= fields.jitsi_server_url;
  return present;
}

/** Numbered policies that newer servers send in registrations, and not in events, beside the groups that replaced them. */
const replacedPolicies = [
  ['realm_create_public_stream_policy', 'realm_can_create_public_channel_group'],
  ['realm_create_private_stream_policy', 'realm_can_create_private_channel_group'],
  ['realm_create_web_public_stream_policy', 'realm_can_create_web_public_channel_group'],
  ['realm_wildcard_mention_policy', 'realm_can_mention_many_users_group'],
] as const;

/** The values that a client assumes when an older server does not send them. */
export const realmDefaults = {
  max_message_length: 10_000,
  max_topic_length: 60,
  max_stream_name_length: 60,
  max_stream_description_length: 1024,
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 140,
  server_typing_started_wait_period_milliseconds: 10_000,
  server_typing_stopped_wait_period_milliseconds: 5_000,
  server_typing_started_expiry_period_milliseconds: 15_000,
  event_queue_longpoll_timeout_seconds: 90,
  realm_empty_topic_display_name: 'general chat',
} as const satisfies WireRealm;
