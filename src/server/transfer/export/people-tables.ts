import {userSettingDefaults} from '#server/accounts/user-settings.ts';
import {reminderText} from '#server/actions/schedule/reminders.ts';
import {isReminder, type ScheduledRow} from '#server/db/personal-items.ts';
import {findUser} from '#server/db/users.ts';
import {emailVisibility} from '#server/permissions/user-access.ts';
import {
  rewriteHtml,
  rewriteProfileValue,
  rewriteSubmessage,
  rewriteText,
  rewriteView,
} from '#server/transfer/references.ts';
import {realmId} from '#server/uploads/upload-path.ts';
import {isRendered} from '#server/views/users.ts';
import {botTypes} from '#wire/objects/user.ts';
import {
  directSubject,
  type ExportContext,
  type ExportRow,
  type ExportTable,
  exportedReactionType,
  exportedSettings,
  isExportableAddress,
  placeholderAddress,
} from './export-context.ts';
import {accountSettings} from './organization-tables.ts';

/** The values of a new account, and keys that are read and dropped. */
const accountDefaults = {
  last_login: null,
  last_reminder: null,
  last_active_message_id: null,
  is_staff: false,
  can_forge_sender: false,
  can_create_users: false,
  can_change_user_emails: false,
  rate_limits: '',
  user_permissions: [],
  groups: [],
};

/** The visibility of an e-mail address that not even administrators see. */
const nobodySeesEmail = 4;

interface ExportedUser {
  readonly id: number;
  readonly delivery_email: string;
  readonly is_active: boolean;
  readonly is_bot: boolean;
  readonly bot_type: number | null;
  readonly settings: string;
  readonly timezone: string;
  readonly is_imported_stub: boolean;
  readonly is_deleted: boolean;
}

function userRow(row: ExportedUser, context: ExportContext): ExportRow {
  const {settings, is_imported_stub, is_deleted, ...columns} = row;
  const isAccepted = isExportableAddress(row.delivery_email);
  if (!isAccepted) context.noteChange('e-mail addresses that a Zulip server refuses (replaced)');
  const visibility = row.is_bot ? 1 : emailVisibility(row);
  const isOwn = context.hasPrivateDataOf(row.id);
  const isWithheld = !isOwn && visibility === nobodySeesEmail;
  const address = isAccepted && !isWithheld ? row.delivery_email : placeholderAddress(row.id);
  // Such an account is taken over by the person who registers with its address.
  const isDummy = !isOwn && row.is_active && (context.scope === 'consented' || isWithheld);
  // Outgoing webhooks and embedded bots need services that only the other server can configure.
  const needsService = row.bot_type === botTypes.outgoingWebhook || row.bot_type === botTypes.embedded;
  if (needsService) context.noteChange('bots with an outgoing webhook or embedded code (they become generic bots)');
  const own = isOwn ? JSON.parse(settings) : {...accountSettings(context), email_address_visibility: visibility};
  return {
    ...columns,
    ...accountDefaults,
    delivery_email: address,
    email: visibility === 1 ? address : placeholderAddress(row.id),
    bot_type: needsService ? botTypes.generic : row.bot_type,
    translate_emoticons: userSettingDefaults.translate_emoticons,
    ...exportedSettings(own),
    ...(isDummy ? {is_active: false, is_mirror_dummy: true} : {}),
    ...(is_imported_stub ? {is_imported_stub} : {}),
    ...(is_deleted ? {is_deleted} : {}),
  };
}

function scheduledRow(row: ScheduledRow, context: ExportContext): ExportRow {
  const {renderer, db} = context.server;
  const recipients: number[] = JSON.parse(row.recipients);
  const isDirect = row.type === 'private';
  const author = findUser(db, row.user_id);
  const content = isReminder(row) ? reminderText(context, row) : row.content;
  const {uploads} = renderer.analyse(content, author);
  for (const path of uploads) {
    const ids = context.scheduledUploads.get(path) ?? [];
    context.scheduledUploads.set(path, [...ids, row.id]);
  }
  const [channelId = 0] = recipients;
  const html = renderer.renderUncached(content, author);
  return {
    id: row.id,
    sender: row.user_id,
    recipient: isDirect ? context.directRecipient([row.user_id, ...recipients]) : channelId * 2,
    stream: isDirect ? null : channelId,
    realm: realmId,
    sending_client: context.clientId(row.client),
    subject: isDirect ? directSubject : row.topic,
    content: rewriteText(content, context.ownIds),
    rendered_content: rewriteHtml(html, context.ownIds),
    scheduled_timestamp: row.deliver_at,
    request_timestamp: context.now,
    read_by_sender: row.read_by_sender === 1,
    delivered_message: null,
    has_attachment: uploads.length > 0,
    delivery_type: row.target_message_id === null ? 1 : 2,
    ...(row.target_message_id === null
      ? {}
      : {reminder_target_message_id: row.target_message_id, reminder_note: row.note}),
    ...(row.failed === 1 ? {failed: true} : {}),
  };
}

/** A reminder of a message that the other server will not know becomes a message to oneself. */
function futureScheduledRow(
  {reminder_target_message_id: target, reminder_note: note, ...row}: ReturnType<typeof scheduledRow>,
  context: ExportContext,
): ExportRow {
  const id = target === undefined ? undefined : context.futureIds.message(Number(target));
  if (target !== undefined && id === undefined) context.noteChange('reminders (now scheduled messages to oneself)');
  return {
    ...row,
    content: rewriteText(String(row.content), context.futureIds),
    rendered_content: context.futureHtml(String(row.rendered_content), true),
    ...(id === undefined ? {delivery_type: 1} : {reminder_target_message_id: id, reminder_note: note}),
  };
}

function profileType(field: number, {server}: ExportContext): number | undefined {
  return server.db.value('SELECT type FROM profile_field WHERE id = ?', field);
}

/** The tables about people and what belongs to them. */
export const peopleTables: readonly ExportTable[] = [
  {
    name: 'userprofile',
    sql: `SELECT u.id, 1 AS realm, delivery_email, full_name, role, is_active AS "is_active?", is_bot AS "is_bot?", bot_type,
      bot_owner_id AS bot_owner, b.default_sending_channel_id AS default_sending_stream,
      b.default_events_channel_id AS default_events_register_stream,
      coalesce(b.default_all_public_streams, 0) AS "default_all_public_streams?", timezone, iif(avatar_source = 'U', 'U', 'J') AS avatar_source,
      avatar_version, joined_at AS date_joined, settings, is_imported_stub AS "is_imported_stub?",
      is_deleted AS "is_deleted?"
      FROM user AS u LEFT JOIN bot AS b ON b.user_id = u.id WHERE is_system_bot = 0 ORDER BY u.id`,
    change: userRow,
  },
  {name: 'userprofile_mirrordummy'},
  {name: 'useractivity'},
  {name: 'useractivityinterval'},
  {
    name: 'userpresence',
    sql: `SELECT user_id AS user_profile, 1 AS realm, active_at AS last_active_time,
      nullif(max(coalesce(idle_at, 0), coalesce(active_at, 0)), 0) AS last_connected_time FROM presence`,
    isPersonal: true,
  },
  {
    name: 'customprofilefieldvalue',
    sql: `SELECT v.user_id AS user_profile, v.field_id AS field, v.value, f.type
      FROM profile_value AS v JOIN profile_field AS f ON f.id = v.field_id`,
    change: ({type, ...row}, {server, ownIds}) => ({
      ...row,
      value: rewriteProfileValue(row.value, type, ownIds),
      rendered_value: isRendered(type) ? server.renderer.descriptionHtml(row.value) : null,
    }),
    rewrite: (row, context) => ({
      ...row,
      value: rewriteProfileValue(row.value, profileType(row.field, context), context.futureIds),
      rendered_value: row.rendered_value === null ? null : context.futureHtml(row.rendered_value, false),
    }),
  },
  {
    name: 'userstatus',
    sql: `SELECT user_id AS user_profile, status_text, emoji_name, emoji_code, reaction_type FROM user_status
      WHERE status_text <> '' OR emoji_name <> ''`,
    change: (row, context) => ({
      ...row,
      reaction_type: exportedReactionType(row.reaction_type),
      client: context.clientId(''),
      timestamp: context.now,
    }),
    isPersonal: true,
  },
  {
    name: 'usertopic',
    sql: `SELECT user_id AS user_profile, channel_id AS stream, channel_id * 2 AS recipient, topic_name,
      updated_at AS last_updated, policy AS visibility_policy FROM user_topic
      WHERE policy <> 0 ORDER BY user_id, channel_id`,
    change: (row, context) =>
      context.isFirst(`topic ${row.user_profile} ${row.stream}`, row.topic_name) ? row : undefined,
    isPersonal: true,
  },
  {
    name: 'muteduser',
    sql: 'SELECT user_id AS user_profile, muted_id AS muted_user, muted_at AS date_muted FROM muted_user',
    isPersonal: true,
  },
  {name: 'alertword', sql: 'SELECT user_id AS user_profile, 1 AS realm, word FROM alert_word', isPersonal: true},
  {
    name: 'savedsnippet',
    sql: `SELECT user_id AS user_profile, id, 1 AS realm, title, content, created_at AS date_created
      FROM saved_snippet`,
    texts: ['content'],
    isPersonal: true,
  },
  {
    name: 'navigationview',
    sql: 'SELECT user_id AS user, fragment, is_pinned AS "is_pinned?", name FROM navigation_view ORDER BY rowid',
    rewrite: (row, context) => {
      const fragment = rewriteView(row.fragment, context.futureIds);
      if (fragment === undefined) context.noteChange('views in sidebars that need an id (left out)');
      return fragment === undefined ? undefined : {...row, fragment};
    },
    isPersonal: true,
  },
  {
    name: 'onboardingstep',
    sql: 'SELECT user_id AS user, name AS onboarding_step FROM onboarding_step',
    change: (row, {now}) => ({...row, timestamp: now}),
    isPersonal: true,
  },
  {
    name: 'scheduledmessage',
    sql: 'SELECT user_id, * FROM scheduled_message ORDER BY id',
    change: scheduledRow,
    rewrite: futureScheduledRow,
    isPersonal: true,
  },
];

/** The ids of recipients: those of channels are even, those of direct conversations odd. */
const recipientSql = `SELECT id * 2 AS id, id AS type_id, 2 AS type FROM channel
  UNION ALL SELECT id * 2 + 1, id, 3 FROM exported_dm`;

/**
 * The tables about conversations and what is attached to messages. They come after scheduled messages, which may start
 * conversations. All direct conversations have the type of groups.
 */
export const conversationTables: readonly ExportTable[] = [
  {
    name: 'recipient',
    sql: recipientSql,
    rows: ({newConversations}) => newConversations.values().map((id) => ({id: id * 2 + 1, type_id: id, type: 3})),
  },
  {
    name: 'huddle',
    sql: 'SELECT id, size AS group_size FROM exported_dm',
    rows: ({newConversations}) =>
      newConversations.entries().map(([key, id]) => ({id, group_size: key.split(',').length})),
  },
  {
    name: 'subscription',
    sql: `SELECT s.user_id AS user_profile, s.channel_id * 2 AS recipient, s.active <> 0 AS "active?",
      u.is_active AS "is_user_active?", is_muted AS "is_muted?", color, pin_to_top AS "pin_to_top?",
      desktop_notifications AS "desktop_notifications?", audible_notifications AS "audible_notifications?",
      push_notifications AS "push_notifications?", email_notifications AS "email_notifications?",
      wildcard_mentions_notify AS "wildcard_mentions_notify?"
      FROM subscription AS s JOIN user AS u ON u.id = s.user_id
      UNION ALL SELECT m.user_id, m.dm_id * 2 + 1, 1, u.is_active, 0, '#c2c2c2', 0, NULL, NULL, NULL, NULL, NULL
      FROM exported_dm AS d JOIN dm_member AS m ON m.dm_id = d.id JOIN user AS u ON u.id = m.user_id`,
    rows: ({newConversations}) =>
      newConversations.entries().flatMap(([key, id]) => {
        return key.split(',').map((user) => ({user_profile: Number(user), recipient: id * 2 + 1, active: true}));
      }),
    change: ({user_profile, recipient, active, is_user_active, ...own}, context) => ({
      ...{user_profile, recipient, active, is_user_active},
      ...(context.hasPrivateDataOf(user_profile) ? own : {}),
    }),
  },
  {
    name: 'reaction',
    // The importer compares the name of a custom emoji with the emoji's own.
    sql: `SELECT r.id, r.user_id AS user_profile, r.message_id AS message, coalesce(e.name, r.emoji_name) AS emoji_name,
      r.emoji_code, r.reaction_type
      FROM reaction AS r JOIN exported_message AS m ON m.id = r.message_id
      LEFT JOIN realm_emoji AS e ON r.reaction_type = 'realm_emoji' AND e.id = CAST(r.emoji_code AS INTEGER)
      WHERE r.reaction_type <> 'realm_emoji' OR e.id IS NOT NULL`,
    change: (row) => ({...row, reaction_type: exportedReactionType(row.reaction_type)}),
  },
  {
    name: 'submessage',
    sql: `SELECT s.id, s.sender_id AS sender, s.message_id AS message, s.msg_type, s.content
      FROM submessage AS s JOIN exported_message AS m ON m.id = s.message_id ORDER BY s.id`,
    rewrite: (row, context) => {
      const content = rewriteSubmessage(row.content, context.futureIds);
      if (content === undefined)
        context.noteChange('votes and marks for what somebody added to a poll or list (left out)');
      return content === undefined ? undefined : {...row, content};
    },
  },
  {name: 'client', rows: ({clients}) => Iterator.from(clients).map(([name, id]) => ({id, name}))},
];
