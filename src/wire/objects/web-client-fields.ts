import {levels} from '#wire/levels.ts';
import {fieldsOf, type Infer, int, nullableInt, nullableText, object, s} from '#wire/schema.ts';
import {groupSetting} from './group.ts';
import {prefixed} from './realm.ts';
import {userSettings} from './user-settings.ts';

/** A data export that an administrator requested. */
export const dataExport = object({
  id: int,
  acting_user_id: int,
  export_time: s.number(),
  deleted_timestamp: nullableInt,
  failed_timestamp: nullableInt,
  export_url: nullableText,
  pending: s.boolean(),
  /** A number on older servers; the oldest export public data only. */
  export_type: s.optional(s.union([s.string(), int])),
});
/** From this level on, requests name the type of an export. */
export const namedExportTypes = {since: levels.exportTypeNames};
export type WireDataExport = Infer<typeof dataExport>;

/** Those that are on or off, of all servers. */
export const webClientFlagLevels = {
  digest_emails_enabled: 0,
  message_content_allowed_in_email_notifications: 0,
  require_e2ee_push_notifications: 0,
  send_channel_events_messages: 0,
  send_welcome_emails: 0,
  want_advertise_in_communities_directory: 0,
};

/** The organization's settings that Zulip's web application reads and this client does not, without the prefix `realm_`. */
export const webClientSettings = {
  ...fieldsOf(webClientFlagLevels, s.boolean()),
  can_manage_billing_group: groupSetting,
  can_summarize_topics_group: groupSetting,
  digest_weekday: int,
  gif_rating_policy: int,
  media_preview_size: int,
  org_type: int,
  welcome_message_custom_text: s.string(),
  zulip_update_announcements_stream_id: int,
};

export const onboardingStep = object({type: s.string(), name: s.string()});

const device = object({
  push_key_id: nullableInt,
  push_token_id: nullableText,
  pending_push_token_id: nullableText,
  push_token_last_updated_timestamp: nullableInt,
  push_registration_error_code: nullableText,
});

/** The parts of a snapshot that Zulip's web application reads and this client does not. */
export const webClientFields = {
  ...prefixed(webClientSettings),
  realm_authentication_methods: s.record(
    s.string(),
    // Below level 241 only whether the method is enabled.
    s.union([s.boolean(), object({enabled: s.boolean(), available: s.boolean()}, {unavailable_reason: s.string()})]),
  ),
  realm_email_auth_enabled: s.boolean(),
  realm_password_auth_enabled: s.boolean(),
  realm_web_public_access_enabled: s.boolean(),
  realm_logo_url: s.string(),
  realm_logo_source: s.string(),
  realm_night_logo_url: s.string(),
  realm_night_logo_source: s.string(),
  realm_plan_type: int,
  // Below level 453 the name of realm_gif_rating_policy.
  realm_giphy_rating: int,
  realm_workplace_users_group: groupSetting,
  realm_owner_full_content_access: s.boolean(),
  realm_default_avatar_source: s.string(),
  gif_rating_policy_options: s.record(s.string(), object({name: s.string(), id: int})),
  settings_send_digest_emails: s.boolean(),
  upgrade_text_for_wide_organization_logo: s.string(),
  realm_push_notifications_enabled_end_timestamp: nullableInt,
  realm_billing: object({has_pending_sponsorship_request: s.boolean()}),
  realm_embedded_bots: s.array(object({name: s.string()}, {config: s.unknown()})),
  realm_incoming_webhook_bots: s.array(
    object({name: s.string()}, {display_name: s.string(), config_options: s.unknown()}),
  ),
  realm_user_settings_defaults: userSettings,
  giphy_api_key: s.string(),
  klipy_api_key: s.string(),
  tenor_api_key: s.string(),
  server_avatar_changes_disabled: s.boolean(),
  server_can_summarize_topics: s.boolean(),
  server_inline_image_preview: s.boolean(),
  server_inline_url_embed_preview: s.boolean(),
  server_min_deactivated_realm_deletion_days: nullableInt,
  server_max_deactivated_realm_deletion_days: nullableInt,
  server_name_changes_disabled: s.boolean(),
  server_needs_upgrade: s.boolean(),
  navigation_tour_video_url: nullableText,
  devices: s.record(s.string(), device),
  onboarding_steps: s.array(onboardingStep),
};
