import {directConversationKey, findOrCreateDirectConversation} from '#server/db/messages.ts';
import {fold} from '#server/db/rows.ts';
import type {ChannelPermissions} from '#server/permissions/channel.ts';
import {channelPermissionRules, groupsByCode, postPolicyCodes} from '#server/permissions/permission-rules.ts';
import {topicsPolicies} from '#wire/objects/channel.ts';
import type {Row} from './import-context.ts';
import {type ImportContext, importedRows} from './import-context.ts';
import {permissionsOf} from './import-people.ts';

/** Who may post, by the number that servers before Zulip 10 have instead of a group. */
const postPolicyGroups = groupsByCode(postPolicyCodes);

export function importChannels(context: ImportContext): void {
  const {db, users, folders, channels} = context;
  for (const row of importedRows(context, 'channelfolder')) {
    const name = row.text('name', 60);
    const id = db.insertRow('channel_folder', {
      name,
      name_key: fold(name),
      description: row.optionalText('description', 1024) ?? '',
      sort_order: row.optionalNumber('order') ?? row.number('id'),
      created_at: row.time('date_created'),
      creator_id: users.optional(row, 'creator'),
      is_archived: row.bit('is_archived'),
    });
    folders.add(row, id);
  }
  const names = new Set([...context.realm.rows('zerver_stream')].map((row) => fold(row.text('name', 60))));
  for (const row of importedRows(context, 'stream')) {
    channels.add(row, insertChannel(context, row, channelName(row, names)));
  }
  for (const row of importedRows(context, 'defaultstream')) {
    db.run('UPDATE channel SET is_default = 1 WHERE id = ?', channels.of(row, 'stream'));
  }
}

/** Returns the name of a channel. Servers before Zulip 10 put a mark before those of archived channels. */
function channelName(row: Row, names: Set<string>): string {
  const name = row.text('name', 60);
  const former = name.replace(/^(?:[0-9a-f]{7}|!*)!DEACTIVATED:/, '');
  if (!row.flag('deactivated') || former === '' || names.has(fold(former))) return name;
  names.add(fold(former));
  return former;
}

function insertChannel(context: ImportContext, row: Row, name: string): number {
  const {db, users, folders} = context;
  const taken = db.get('SELECT 1 FROM channel WHERE name_key = ?', fold(name)) !== undefined;
  if (taken) row.fail(`two channels are called “${name}”.`);
  const permissions: Partial<ChannelPermissions> = permissionsOf(context, row, channelPermissionRules);
  const postPolicy = postPolicyGroups[row.optionalNumber('stream_post_policy') ?? 0];
  if (postPolicy !== undefined) permissions.can_send_message_group ??= postPolicy;
  return db.insertRow('channel', {
    name,
    name_key: fold(name),
    description: row.optionalText('description', 1024) ?? '',
    created_at: row.time('date_created'),
    creator_id: users.optional(row, 'creator'),
    invite_only: row.bit('invite_only'),
    is_web_public: row.bit('is_web_public'),
    history_public_to_subscribers: row.bit('history_public_to_subscribers', !row.flag('invite_only')),
    is_archived: row.bit('deactivated'),
    folder_id: folders.optional(row, 'folder'),
    message_retention_days: row.optionalNumber('message_retention_days') ?? null,
    topics_policy: topicsPolicies[(row.optionalNumber('topics_policy') ?? 1) - 1] ?? 'inherit',
    default_push_notifications: row.bit('default_push_notifications'),
    permissions: JSON.stringify(permissions),
  });
}

const channelType = 2;

/** Imports who is in which conversation: subscriptions of channels and, in `work`, the people of direct conversations. */
export function importSubscriptions(context: ImportContext): void {
  const {db, users, channels} = context;
  db.exec(`
    CREATE TABLE work.recipient (id INTEGER PRIMARY KEY, type INTEGER NOT NULL, target INTEGER NOT NULL);
    CREATE TABLE work.participant (recipient INTEGER, user_id INTEGER, PRIMARY KEY (recipient, user_id)) WITHOUT ROWID;
  `);
  for (const row of importedRows(context, 'recipient')) {
    const type = row.number('type');
    const target = type === channelType ? channels.of(row, 'type_id') : type === 1 ? users.of(row, 'type_id') : 0;
    if (type < 1 || type > 3) row.fail(`there is no type ${type}.`);
    const sql = 'INSERT OR IGNORE INTO work.recipient (id, type, target) VALUES (?, ?, ?)';
    if (db.run(sql, row.number('id'), type, target) === 0) row.fail(`the id ${row.number('id')} is there twice.`);
  }
  for (const row of importedRows(context, 'subscription')) {
    const {type, target} = recipientOf(context, row);
    if (type === channelType) insertSubscription(context, row, target);
    else {
      const sql = 'INSERT OR IGNORE INTO work.participant (recipient, user_id) VALUES (?, ?)';
      db.run(sql, row.number('recipient'), users.of(row, 'user_profile'));
    }
  }
  // A deactivated user's subscriptions are suspended, and return with the account.
  db.run(
    'UPDATE subscription SET active = 2 WHERE active = 1 AND user_id IN (SELECT id FROM user WHERE is_active = 0)',
  );
}

/** Returns what a row names: `target` is the new id of the channel, or of the user who receives a direct message (type 1). */
function recipientOf({db}: ImportContext, row: Row): {type: number; target: number} {
  const id = row.number('recipient');
  const found = db.get<{type: number; target: number}>('SELECT type, target FROM work.recipient WHERE id = ?', id);
  return found ?? row.fail(`“recipient” names ${id}, which is not in the export.`);
}

function insertSubscription({db, users}: ImportContext, row: Row, channel: number): void {
  const color = row.optionalText('color', 10) ?? '';
  db.insertNewRow('subscription', {
    user_id: users.of(row, 'user_profile'),
    channel_id: channel,
    active: row.bit('active', true),
    color: /^#[0-9a-f]{6}$/i.test(color) ? color : '#76ce90',
    is_muted: row.bit('is_muted'),
    pin_to_top: row.bit('pin_to_top'),
    desktop_notifications: row.optionalBit('desktop_notifications'),
    audible_notifications: row.optionalBit('audible_notifications'),
    push_notifications: row.optionalBit('push_notifications'),
    email_notifications: row.optionalBit('email_notifications'),
    wildcard_mentions_notify: row.optionalBit('wildcard_mentions_notify'),
  });
}

/**
 * Returns the conversation of a message or scheduled message: a channel, or the direct conversation of `members`. Up to
 * Zulip 11, the recipient of a message to one person is that person, and the sender is the other one; in all other cases
 * the people are those of the export's subscriptions.
 */
export function conversationOf(context: ImportContext, row: Row, sender: number) {
  const {type, target} = recipientOf(context, row);
  if (type === channelType) return {channelId: target, members: []};
  if (type === 1) return {channelId: undefined, members: [...new Set([sender, target])]};
  const sql = 'SELECT user_id FROM work.participant WHERE recipient = ?';
  const members = context.db.pluck(sql, row.number('recipient'));
  if (members.length === 0) row.fail('nobody takes part in its direct conversation.');
  return {channelId: undefined, members};
}

/** Returns the id of the direct conversation of these people, which is created if necessary. */
export function directConversationId({db}: ImportContext, members: readonly number[]): number {
  // Most messages are in known conversations, and the index that the general search needs is not there yet.
  const known = db.value('SELECT id FROM dm WHERE key = ?', directConversationKey(members));
  return known ?? findOrCreateDirectConversation(db, members).id;
}
