import {passwordMaxLength, passwordMinLength} from '#server/accounts/password.ts';
import {settingChoices} from '#server/accounts/user-settings.ts';
import {reportTypes} from '#server/actions/messages/report-message.ts';
import {playgrounds} from '#server/actions/organization/playgrounds.ts';
import {settingDefaults} from '#server/actions/organization/update-organization.ts';
import {conferenceSegments} from '#server/actions/organization/video-calls.ts';
import {devicesOf} from '#server/actions/personal/devices.ts';
import {onboardingSteps} from '#server/actions/personal/onboarding-steps.ts';
import type {ServerAccess, ServerContext} from '#server/context.ts';
import {metaValue} from '#server/db/meta.ts';
import {listDomains} from '#server/db/organization-items.ts';
import {listBots} from '#server/db/users.ts';
import {stopWords} from '#server/narrow/search-stream.ts';
import {
  gifRatings,
  type OrganizationSettings,
  organizationDefaults,
  serverJitsiUrl,
  shownVideoProviders,
} from '#server/organization/organization-settings.ts';
import {
  commonCodes,
  legacyPolicy,
  SystemGroup,
  supportedPermissionSettings,
  wildcardCodes,
} from '#server/organization/permission-rules.ts';
import {externalAccounts} from '#server/organization/profile-field-data.ts';
import {isAdmin, organization} from '#server/permissions/has-permission.ts';
import {hostOf} from '#server/permissions/user-access.ts';
import {
  customEmojiTable,
  domainView,
  linkifierViews,
  organizationImage,
  profileFieldTypeNames,
  profileFieldViews,
} from '#server/views/organization-items.ts';
import {authenticationMethodStates, authenticationMethods} from '#server/views/server-settings.ts';
import {botView} from '#server/views/user.ts';
import {emojiDataFile} from '#server/web/images.ts';
import {tokenKeyOf} from '#wire/objects/organization.ts';
import type {SnapshotBlocks} from './users.ts';

/** The organization's settings and objects; fetch types that this server does not support give empty values. */
export const organizationBlocks: SnapshotBlocks = {
  realm: ({act}) => realmView(act),
  realm_domains: ({act}) => ({realm_domains: listDomains(act.db).map(domainView)}),
  realm_emoji: ({act}) => ({realm_emoji: customEmojiTable(act.server)}),
  realm_linkifiers: ({act, options}) => ({
    realm_linkifiers: options.capabilities.linkifier_url_template === true ? linkifierViews(act.server) : [],
  }),
  realm_filters: () => ({realm_filters: []}),
  realm_playgrounds: ({act}) => ({realm_playgrounds: playgrounds(act.db)}),
  custom_profile_fields: ({act}) => ({
    custom_profile_fields: profileFieldViews(act.db),
    custom_profile_field_types: profileFieldTypeNames,
  }),
  realm_bot: ({act, viewer}) => ({
    realm_bots: listBots(act.db, isAdmin(viewer) ? undefined : viewer.id).map((bot) => botView(act, bot)),
  }),
  video_calls: ({viewer}) => ({
    has_zoom_token: false,
    ...Object.fromEntries(conferenceSegments.map((name) => [tokenKeyOf(name), viewer.video_token === 1])),
  }),
  giphy: () => ({giphy_api_key: ''}),
  tenor: () => ({tenor_api_key: ''}),
  klipy: () => ({klipy_api_key: ''}),
  stop_words: () => ({stop_words: stopWords}),
  onboarding_steps: ({act, viewer}) => ({
    onboarding_steps: onboardingSteps(act.db, viewer.id),
    navigation_tour_video_url: null,
  }),
  realm_billing: () => ({realm_billing: {has_pending_sponsorship_request: false}}),
  device: ({act, viewer}) => ({devices: devicesOf(act.db, viewer.id)}),
  realm_embedded_bots: () => ({realm_embedded_bots: []}),
  realm_incoming_webhook_bots: () => ({realm_incoming_webhook_bots: []}),
  realm_user_settings_defaults({act}) {
    const {timezone: _timezone, ...defaults} = settingDefaults(act);
    return {realm_user_settings_defaults: {...defaults, ...settingChoices}};
  },
};

/** The organization settings of this server that the API does not have. */
const internalSettings: ReadonlySet<string> = new Set([
  'backup_max_age_hours',
  'authentication_methods',
  'can_change_user_emails_group',
  'can_create_users_group',
  'icon_file',
  'is_deactivated',
  'logo_file',
  'night_logo_file',
  'user_setting_defaults',
]);

/** Returns the organization's settings under their names in a registration's response. */
function realmSettings(settings: OrganizationSettings): Record<string, unknown> {
  const names = Object.keys(organizationDefaults).filter((name) => !internalSettings.has(name));
  return Object.fromEntries(names.map((name) => [`realm_${name}`, Reflect.get(settings, name)]));
}

/** Returns the numbered policies that registrations still have beside the group settings that replaced them. */
function legacyPolicies(settings: OrganizationSettings): Record<string, number> {
  return {
    realm_create_public_stream_policy: legacyPolicy(settings.can_create_public_channel_group, commonCodes),
    realm_create_private_stream_policy: legacyPolicy(settings.can_create_private_channel_group, commonCodes),
    realm_create_web_public_stream_policy: legacyPolicy(settings.can_create_web_public_channel_group, commonCodes),
    realm_wildcard_mention_policy: legacyPolicy(settings.can_mention_many_users_group, wildcardCodes),
  };
}

/** Returns the `realm` part of a registration's response: settings, limits and facts about the server. */
function realmView(act: ServerAccess): Record<string, unknown> {
  const {server} = act;
  const settings = organization(act);
  const icon = organizationImage(settings, 'icon');
  const logo = organizationImage(settings, 'logo');
  const nightLogo = organizationImage(settings, 'night_logo');
  return {
    ...realmSettings(settings),
    ...legacyPolicies(settings),
    realm_workplace_users_group: SystemGroup.everyone,
    realm_owner_full_content_access: false,
    realm_default_avatar_source: 'J',
    realm_url: server.url,
    realm_uri: server.url,
    realm_icon_url: icon.url,
    realm_icon_source: icon.source,
    realm_logo_url: logo.url,
    realm_logo_source: logo.source,
    realm_night_logo_url: nightLogo.url,
    realm_night_logo_source: nightLogo.source,
    realm_bot_domain: hostOf(server),
    realm_date_created: Number(metaValue(server.db, 'created_at') ?? 0),
    realm_uuid: metaValue(server.db, 'uuid') ?? '',
    realm_upload_quota_mib: settings.upload_quota_mib,
    realm_available_video_chat_providers: shownVideoProviders(settings.video_chat_provider),
    realm_default_external_accounts: externalAccounts,
    realm_authentication_methods: authenticationMethodStates(server),
    realm_email_auth_enabled: authenticationMethods(server).email,
    realm_password_auth_enabled: authenticationMethods(server).password,
    ...limits,
    ...serverFacts(server),
  };
}

const limits = {
  max_message_length: 10_000,
  max_topic_length: 60,
  max_stream_name_length: 60,
  max_stream_description_length: 1024,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1024,
  max_reminder_note_length: 1000,
  max_bulk_new_subscription_messages: 100,
  max_file_upload_size_mib: 100,
  max_avatar_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
  password_min_length: passwordMinLength,
  password_max_length: passwordMaxLength,
  password_min_guesses: 10_000,
};

function serverFacts(server: ServerContext): Record<string, unknown> {
  return {
    server_presence_ping_interval_seconds: 60,
    server_presence_offline_threshold_seconds: 200,
    server_typing_started_wait_period_milliseconds: 30_000,
    server_typing_stopped_wait_period_milliseconds: 12_000,
    server_typing_started_expiry_period_milliseconds: 45_000,
    event_queue_longpoll_timeout_seconds: 90,
    server_emoji_data_url: `${server.url}${emojiDataFile().path}`,
    server_thumbnail_formats: [],
    server_generation: generation(server),
    server_web_public_streams_enabled: true,
    server_jitsi_server_url: serverJitsiUrl,
    jitsi_server_url: organization({server}).jitsi_server_url ?? serverJitsiUrl,
    server_supported_permission_settings: supportedPermissionSettings,
    server_report_message_types: reportTypes,
    server_min_deactivated_realm_deletion_days: 14,
    server_max_deactivated_realm_deletion_days: null,
    settings_send_digest_emails: false,
    gif_rating_policy_options: gifRatings,
    upgrade_text_for_wide_organization_logo: '',
    server_needs_upgrade: false,
    server_inline_image_preview: true,
    server_inline_url_embed_preview: false,
    server_avatar_changes_disabled: false,
    server_name_changes_disabled: false,
    server_can_summarize_topics: false,
    development_environment: server.demo,
    zulip_plan_is_not_limited: true,
  };
}

const generations = new WeakMap<ServerContext, number>();

/** Returns the time of the first call in UNIX seconds: a number that changes when the server restarts. */
function generation(server: ServerContext): number {
  const startedAt = generations.get(server) ?? Math.floor(server.clock.now() / 1000);
  generations.set(server, startedAt);
  return startedAt;
}
