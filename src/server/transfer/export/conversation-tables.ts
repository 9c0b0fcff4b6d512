import type {ExportContext} from './export-context.ts';
import type {ExportRow, ExportTable} from './export-table.ts';
import {exportedReactionType} from './exported-words.ts';

/** The ids of recipients: those of channels are even, those of direct conversations odd. */
const recipientSql = `SELECT id * 2 AS id, id AS type_id, 2 AS type FROM channel
  UNION ALL SELECT id * 2 + 1, id, 3 FROM exported_dm`;

function* newRecipients({newConversations}: ExportContext): Generator<ExportRow> {
  for (const id of newConversations.values()) yield {id: id * 2 + 1, type_id: id, type: 3};
}

function* newHuddles({newConversations}: ExportContext): Generator<ExportRow> {
  for (const [key, id] of newConversations) yield {id, group_size: key.split(',').length};
}

function* newSubscriptions({newConversations}: ExportContext): Generator<ExportRow> {
  for (const [key, id] of newConversations) {
    for (const user of key.split(',')) yield {user_profile: Number(user), recipient: id * 2 + 1, active: true};
  }
}

/**
 * The tables about conversations and what is attached to messages. They come after scheduled messages, which may start
 * conversations. All direct conversations have the type of groups.
 */
export const conversationTables: readonly ExportTable[] = [
  {name: 'recipient', sql: recipientSql, rows: newRecipients},
  {name: 'huddle', sql: 'SELECT id, size AS group_size FROM exported_dm', rows: newHuddles},
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
    rows: newSubscriptions,
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
      FROM submessage AS s JOIN exported_message AS m ON m.id = s.message_id`,
  },
  {name: 'client', rows: ({clients}) => Iterator.from(clients).map(([name, id]) => ({id, name}))},
];
