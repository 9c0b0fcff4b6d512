import {compileLinkifier} from '#content/linkifier.ts';
import type {ChannelRow} from '#server/db/rows.ts';
import {type OrganizationSettings, organizationSettings} from '#server/organization/organization-settings.ts';
import {Role, realmPermissionRules, SystemGroup} from '#server/organization/permission-rules.ts';
import {channelPermissions} from '#server/permissions/channel.ts';
import {groupPermissions} from '#server/permissions/group.ts';
import {realmId} from '#server/uploads/upload-path.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import {videoProviders} from '#wire/objects/organization.ts';
import {
  columnValue,
  type ExportContext,
  type ExportRow,
  type ExportTable,
  exportedSettings,
  wordNumber,
} from './export-context.ts';

function channelRow(
  {permissions, topics_policy, default_push_notifications, message_retention_days, ...row}: ChannelRow,
  context: ExportContext,
): ExportRow {
  return {
    ...row,
    name: context.uniqueName('channels', row.name),
    message_retention_days: columnValue(message_retention_days, 32),
    topics_policy: wordNumber('topics_policy', topics_policy),
    default_push_notifications: default_push_notifications === 1,
    ...context.groupIds(channelPermissions({permissions})),
  };
}

/** With a linkifier that it cannot compile, the other server would render no message. */
function linkifierRow(
  row: {pattern: string; url_template: string; alternative_url_templates: string},
  context: ExportContext,
): ExportRow | undefined {
  const compiled = compileLinkifier({pattern: row.pattern, urlTemplate: row.url_template});
  if (compiled?.bounded() !== undefined) {
    return {...row, alternative_url_templates: JSON.parse(row.alternative_url_templates)};
  }
  context.noteChange('linkifiers that are not valid (left out)');
  return undefined;
}

/** The group of each role; members are full members too, once the waiting period is over. */
const roleMemberships = `
  SELECT CASE role WHEN ${Role.owner} THEN ${SystemGroup.owners} WHEN ${Role.admin} THEN ${SystemGroup.administrators}
    WHEN ${Role.moderator} THEN ${SystemGroup.moderators} WHEN ${Role.member} THEN ${SystemGroup.members}
    ELSE ${SystemGroup.everyone} END AS user_group, id AS user_profile
  FROM user WHERE is_system_bot = 0
  UNION ALL
  SELECT ${SystemGroup.fullMembers}, id FROM user WHERE is_system_bot = 0 AND role = ${Role.member} AND joined_at <= ?
  UNION ALL
  SELECT m.group_id, m.user_id FROM group_member AS m JOIN user AS u ON u.id = m.user_id AND u.is_system_bot = 0`;

function* membershipRows({server, unnamedGroups, now}: ExportContext): Generator<ExportRow> {
  const {waiting_period_threshold: days} = server.derivedFacts.get(organizationSettings);
  yield* server.db.each(roleMemberships, now - days * 86_400);
  for (const {id, members} of unnamedGroups) yield* members.map((member) => ({user_group: id, user_profile: member}));
}

/** The settings that new accounts start with. */
export const accountSettings = ({server}: ExportContext) =>
  server.derivedFacts.get(organizationSettings).user_setting_defaults;

/** The author of a custom emoji; an owner stands for one who is not known, because the other server needs one. */
export const emojiAuthor = `coalesce(author_id, (SELECT id FROM user WHERE role = ${Role.owner} ORDER BY is_active DESC, id))`;

/**
 * The tables about the organization. Tables with permissions come before those of groups: values made of people and
 * groups become groups.
 */
export const organizationTables: readonly ExportTable[] = [
  {
    name: 'realm',
    rows: (context) => [realmRow(context)],
    texts: ['description', 'welcome_message_custom_text'],
    // Another server does not know the column.
    rewrite: ({parley_url, ...row}) => row,
  },
  {
    name: 'stream',
    sql: `SELECT id, 1 AS realm, name, description, created_at AS date_created, creator_id AS creator,
      folder_id AS folder, is_archived AS "deactivated?", invite_only AS "invite_only?",
      history_public_to_subscribers AS "history_public_to_subscribers?", is_web_public AS "is_web_public?",
      message_retention_days, topics_policy, default_push_notifications, permissions FROM channel ORDER BY id`,
    change: channelRow,
    texts: ['description'],
  },
  {
    name: 'namedusergroup',
    sql: `SELECT id, id AS usergroup_ptr, 1 AS realm_for_sharding, name, description, is_system AS "is_system_group?",
      created_at AS date_created, creator_id AS creator, deactivated AS "deactivated?", permissions FROM user_group`,
    change: ({permissions, ...row}, context) => ({
      ...row,
      ...context.groupIds(groupPermissions({is_system: row.is_system_group ? 1 : 0, permissions})),
    }),
    texts: ['description'],
  },
  {
    name: 'usergroup',
    // By id, because the importer gives ids in this order.
    rows: ({server, unnamedGroups}) => [
      ...server.db.pluck('SELECT id FROM user_group ORDER BY id').map((id) => ({id, realm: realmId})),
      ...unnamedGroups.map(({id}) => ({id, realm: realmId})),
    ],
  },
  {name: 'usergroupmembership', rows: membershipRows},
  {
    name: 'groupgroupmembership',
    sql: 'SELECT group_id AS supergroup, subgroup_id AS subgroup FROM group_subgroup',
    rows: ({unnamedGroups}) =>
      unnamedGroups.flatMap(({id, subgroups}) => subgroups.map((subgroup) => ({supergroup: id, subgroup}))),
  },
  {
    name: 'userprofile_crossrealm',
    sql: `SELECT id, replace(delivery_email, '@parley.example', '@zulip.com') AS email, NULL AS recipient_id
      FROM user WHERE is_system_bot = 1`,
  },
  {
    name: 'realmuserdefault',
    isNeeded: (context) => Object.keys(accountSettings(context)).length > 0,
    rows: (context) => [{realm: realmId, ...exportedSettings(accountSettings(context))}],
  },
  {name: 'realmauthenticationmethod', rows: () => [{realm: realmId, name: 'Email'}]},
  {
    name: 'channelfolder',
    sql: `SELECT id, 1 AS realm, name, description, sort_order AS "order", created_at AS date_created,
      creator_id AS creator, is_archived AS "is_archived?" FROM channel_folder`,
    change: (row, context) => ({
      ...row,
      name: row.is_archived ? row.name : context.uniqueName('folders', row.name),
      rendered_description: context.server.renderer.descriptionHtml(row.description),
    }),
    texts: ['description'],
    rewrite: (row, context) => ({...row, rendered_description: context.futureHtml(row.rendered_description, false)}),
  },
  {name: 'defaultstream', sql: 'SELECT 1 AS realm, id AS stream FROM channel WHERE is_default = 1'},
  {
    name: 'realmemoji',
    sql: `SELECT id, 1 AS realm, ${emojiAuthor} AS author, name, file AS file_name, deactivated AS "deactivated?"
      FROM realm_emoji`,
    change: (row, {animatedEmoji}) => ({
      ...row,
      file_name: row.file_name.replace(/^.*\//, ''),
      is_animated: animatedEmoji.has(row.id),
    }),
  },
  {
    name: 'realmdomain',
    sql: 'SELECT id, 1 AS realm, domain, allow_subdomains AS "allow_subdomains?" FROM realm_domain',
  },
  {
    name: 'realmfilter',
    sql: `SELECT id, 1 AS realm, pattern, url_template, example_input, reverse_template, alternative_url_templates,
      sort_order AS "order" FROM linkifier`,
    change: linkifierRow,
  },
  {name: 'realmplayground', sql: 'SELECT id, 1 AS realm, name, pygments_language, url_template FROM playground'},
  {name: 'botstoragedata', sql: 'SELECT user_id AS bot_profile, key, value FROM bot_storage', isPersonal: true},
  {
    name: 'customprofilefield',
    sql: `SELECT id, 1 AS realm, name, hint, sort_order AS "order", type AS field_type, field_data,
      display_in_profile_summary AS "display_in_profile_summary?", required AS "required?",
      editable_by_user AS "editable_by_user?", use_for_user_matching AS "use_for_user_matching?" FROM profile_field`,
  },
];

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
function realmRow(context: ExportContext): ExportRow {
  const {db, derivedFacts} = context.server;
  const settings = derivedFacts.get(organizationSettings);
  const permissions = Object.keys(realmPermissionRules) as (keyof OrganizationSettings)[];
  const channelOf = (id: number) => db.value('SELECT id FROM channel WHERE id = ?', id) ?? null;
  return {
    id: realmId,
    parley_url: context.server.url,
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
    ...context.groupIds(Object.fromEntries(permissions.map((name) => [name, settings[name] as GroupSetting]))),
    workplace_users_group: SystemGroup.everyone,
  };
}
