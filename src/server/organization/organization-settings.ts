import type {UserSettings} from '#server/accounts/user-settings.ts';
import type {Database} from '#server/db/database.ts';
import type {DerivedFact} from '#server/derived-facts-cache.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import {videoProviders} from '#wire/objects/organization.ts';
import {realmPermissionDefaults, SystemGroup} from './permission-rules.ts';

/** The values of `gif_rating_policy`: the GIFs that clients may offer. */
export const gifRatings = {
  disabled: {name: 'Disabled', id: 0},
  g: {name: 'Allow GIFs rated G (General audience)', id: 1},
  pg: {name: 'Allow GIFs rated PG (Parental guidance)', id: 2},
  'pg-13': {name: 'Allow GIFs rated PG-13 (Parental guidance - under 13)', id: 3},
  r: {name: 'Allow GIFs rated R (Restricted)', id: 4},
};

const group = (id: number): GroupSetting => id;

const limit = (seconds: number): number | null => seconds;

/** The default of each organization setting. On the wire, each is called `realm_` + name. */
export const organizationDefaults = {
  name: 'Parley',
  description: '',
  default_language: 'en',
  empty_topic_display_name: 'general chat',
  topics_policy: 'allow_empty_topic',
  allow_message_editing: true,
  message_content_edit_limit_seconds: limit(600),
  message_content_delete_limit_seconds: limit(600),
  move_messages_within_stream_limit_seconds: limit(604_800),
  move_messages_between_streams_limit_seconds: limit(604_800),
  message_edit_history_visibility_policy: 'all',
  enable_read_receipts: true,
  presence_disabled: false,
  require_e2ee_push_notifications: false,
  send_channel_events_messages: false,
  welcome_message_custom_text: '',
  media_preview_size: 100,
  gif_rating_policy: gifRatings.g.id,
  ...realmPermissionDefaults,
  /** The group that may change other users' addresses; not an organization setting on the wire. */
  can_change_user_emails_group: group(SystemGroup.owners),
  can_create_users_group: group(SystemGroup.owners),
  /** The files of uploaded images in the file store. */
  icon_file: null as string | null,
  logo_file: null as string | null,
  night_logo_file: null as string | null,
  /** The settings of new accounts that differ from the server's defaults. */
  user_setting_defaults: {} as Partial<UserSettings>,
  /** Which login methods are allowed; null is the server's default. */
  authentication_methods: null as Readonly<Record<string, boolean>> | null,
  /** Nobody can use a deactivated organization. */
  is_deactivated: false,
  waiting_period_threshold: 0,
  message_retention_days: -1,
  upload_quota_mib: null as number | null,
  /** The age above which a backup is too old; null if nobody wants to be warned. Not on the wire. */
  backup_max_age_hours: null as number | null,
  default_code_block_language: '',
  video_chat_provider: 1,
  jitsi_server_url: null,
  inline_image_preview: true,
  inline_url_embed_preview: false,
  enable_guest_user_indicator: true,
  enable_guest_user_dm_warning: true,
  enable_spectator_access: false,
  emails_restricted_to_domains: false,
  invite_required: true,
  name_changes_disabled: false,
  avatar_changes_disabled: false,
  email_changes_disabled: false,
  disallow_disposable_email_addresses: true,
  digest_emails_enabled: false,
  digest_weekday: 1,
  send_welcome_emails: true,
  message_content_allowed_in_email_notifications: true,
  want_advertise_in_communities_directory: false,
  mandatory_topics: false,
  require_unique_names: false,
  allow_edit_history: true,
  new_stream_announcements_stream_id: -1,
  signup_announcements_stream_id: -1,
  zulip_update_announcements_stream_id: -1,
  moderation_request_channel_id: -1,
  org_type: 0,
  plan_type: 1,
  push_notifications_enabled: false,
  push_notifications_enabled_end_timestamp: null,
};

export type OrganizationSettings = typeof organizationDefaults;

export const organizationSettings: DerivedFact<OrganizationSettings> = {
  name: 'organization',
  derive(db: Database) {
    const rows = db.all<{name: string; value: string}>('SELECT name, value FROM realm_setting');
    const changed = Object.fromEntries(rows.map(({name, value}) => [name, JSON.parse(value)]));
    return {...organizationDefaults, ...changed};
  },
};

/** The video call providers that an organization can choose from: those that need nothing of this server. */
export const availableVideoProviders = {
  disabled: {name: 'None', id: videoProviders.none},
  jitsi_meet: {name: 'Jitsi Meet', id: videoProviders.jitsi},
};

/** Returns the providers that clients offer. One that cannot be chosen any more is shown while it is in use. */
export function shownVideoProviders(used: number) {
  const conference = {webex: {name: 'Conference', id: videoProviders.conference}};
  return {...availableVideoProviders, ...(used === videoProviders.conference && conference)};
}

/** The Jitsi server of organizations that set none. */
export const serverJitsiUrl = 'https://meet.jit.si';
