import {type OrganizationSettings, organizationSettings} from '#server/organization/organization-settings.ts';
import {realmPermissionRules} from '#server/permissions/permission-rules.ts';
import {SystemGroup} from '#server/permissions/system-groups.ts';
import {realmId} from '#server/uploads/upload-path.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';
import {videoProviders} from '#wire/objects/video-call.ts';
import type {ExportContext} from './export-context.ts';
import type {ExportRow} from './export-table.ts';
import {columnValue, wordNumber} from './exported-words.ts';

/**
 * The settings that Zulip's servers store under the same name with the same values. All are written, because the other
 * server's defaults are not ours.
 */
const sameSettings = [
  'description',
  'default_language',
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'message_content_delete_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
  'enable_read_receipts',
  'require_e2ee_push_notifications',
  'send_channel_events_messages',
  'welcome_message_custom_text',
  'media_preview_size',
  'gif_rating_policy',
  'waiting_period_threshold',
  'message_retention_days',
  'default_code_block_language',
  'jitsi_server_url',
  'inline_image_preview',
  'inline_url_embed_preview',
  'enable_guest_user_indicator',
  'enable_guest_user_dm_warning',
  'enable_spectator_access',
  'emails_restricted_to_domains',
  'invite_required',
  'name_changes_disabled',
  'avatar_changes_disabled',
  'email_changes_disabled',
  'disallow_disposable_email_addresses',
  'digest_emails_enabled',
  'digest_weekday',
  'send_welcome_emails',
  'message_content_allowed_in_email_notifications',
  'want_advertise_in_communities_directory',
  'require_unique_names',
  'org_type',
] as const satisfies readonly (keyof OrganizationSettings)[];

/** The settings whose columns have 16 bits. */
const smallSettings: ReadonlySet<string> = new Set([
  'media_preview_size',
  'gif_rating_policy',
  'digest_weekday',
  'org_type',
]);

/** The number of the last announcement that servers of the version to which exports belong have. */
const latestAnnouncement = 27;

/** The settings that name a channel, without `_id`. */
const channelSettings = [
  'new_stream_announcements_stream',
  'signup_announcements_stream',
  'zulip_update_announcements_stream',
  'moderation_request_channel',
] as const;

/** Returns the icon and the logos that were uploaded, with their paths in the file store. */
export function uploadedImages(settings: OrganizationSettings): {name: string; file: string}[] {
  return (['icon', 'logo', 'night_logo'] as const).flatMap((name) => {
    const file = settings[`${name}_file`];
    return file === null ? [] : [{name, file}];
  });
}

/** The only row of the table of organizations. */
export function* realmRows({server, groups}: ExportContext): Generator<ExportRow> {
  const {db, derivedFacts} = server;
  const settings = derivedFacts.get(organizationSettings);
  const permissions = Object.keys(realmPermissionRules) as (keyof OrganizationSettings)[];
  const channelOf = (id: number) => db.value('SELECT id FROM channel WHERE id = ?', id) ?? null;
  yield {
    id: realmId,
    name: settings.name,
    date_created: Number(db.value<string>(`SELECT value FROM meta WHERE key = 'created_at'`) ?? 0),
    deactivated: false,
    push_notifications_enabled_end_timestamp: null,
    scheduled_deletion_date: null,
    demo_organization_scheduled_deletion_date: null,
    // Without it, the server would tell the administrators about all that was new in earlier versions.
    zulip_update_announcements_level: latestAnnouncement,
    topics_policy: wordNumber('topics_policy', settings.topics_policy),
    message_edit_history_visibility_policy: wordNumber(
      'message_edit_history_visibility_policy',
      settings.message_edit_history_visibility_policy,
    ),
    ...Object.fromEntries(channelSettings.map((name) => [name, channelOf(settings[`${name}_id`])])),
    ...Object.fromEntries(
      sameSettings.map((name) => [name, columnValue(settings[name], smallSettings.has(name) ? 16 : 32)]),
    ),
    ...Object.fromEntries(
      uploadedImages(settings).flatMap(({name}) => [
        [`${name}_source`, 'U'],
        [`${name}_version`, 2],
      ]),
    ),
    // The other server may not have the other providers.
    ...(settings.video_chat_provider > videoProviders.jitsi ? {} : {video_chat_provider: settings.video_chat_provider}),
    ...groups.idsOf(Object.fromEntries(permissions.map((name) => [name, settings[name] as GroupSetting]))),
    workplace_users_group: SystemGroup.everyone,
  };
}
