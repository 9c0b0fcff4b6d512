import {event, eventsByOp} from '#wire/events/event-schema.ts';
import {groupSetting} from '#wire/objects/group.ts';
import {prefixed} from '#wire/objects/realm.ts';
import {userSettings} from '#wire/objects/user-settings.ts';
import {dataExport, webClientSettings} from '#wire/objects/web-client-fields.ts';
import {int, nullableInt, nullableText, object, s} from '#wire/schema.ts';

const onboardingStep = object({type: s.string(), name: s.string()});

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

const deviceId = object({device_id: int});

/** The schemas of events that Zulip's web application reads and this client does not request. */
export const webClientEventSchemas = {
  device: eventsByOp('device', {add: deviceId, remove: deviceId}),
  onboarding_steps: event('onboarding_steps', {onboarding_steps: s.array(onboardingStep)}),
  realm_export: event('realm_export', {exports: s.array(dataExport)}),
  realm_user_settings_defaults: eventsByOp('realm_user_settings_defaults', {
    update: object({property: s.string(), value: s.unknown()}),
  }),
  realm_export_consent: event('realm_export_consent', {user_id: int, consented: s.boolean()}),
};
