import {fold} from '#server/db/rows.ts';
import type {ChannelPermissions} from '#server/permissions/channel.ts';
import {channelPermissionRules} from '#server/permissions/permission-rules.ts';
import {SystemGroup} from '#server/permissions/system-groups.ts';
import {topicsPolicies} from '#wire/objects/channel.ts';
import {type ImportContext, importedRows} from './import-context.ts';
import type {GroupSettings} from './import-groups.ts';
import type {Row} from './row.ts';

/** Who may post, by the number that servers before Zulip 10 have instead of a group. */
const postPolicyGroups: Readonly<Record<number, number>> = {
  1: SystemGroup.everyone,
  2: SystemGroup.administrators,
  3: SystemGroup.fullMembers,
  4: SystemGroup.moderators,
};

export function importChannels(context: ImportContext, settings: GroupSettings): void {
  const {db, users, folders, channels} = context;
  for (const row of importedRows(context, 'channelfolder')) {
    const name = row.text('name', 60);
    const id = db.insert(
      `INSERT INTO channel_folder (name, name_key, description, sort_order, created_at, creator_id, is_archived)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      name,
      fold(name),
      row.optionalText('description', 1024) ?? '',
      row.optionalNumber('order') ?? row.number('id'),
      row.time('date_created'),
      users.optional(row, 'creator'),
      row.bit('is_archived'),
    );
    folders.add(row, id);
  }
  const names = new Set([...context.realm.rows('zerver_stream')].map((row) => fold(row.text('name', 60))));
  for (const row of importedRows(context, 'stream')) {
    channels.add(row, insertChannel(context, settings, row, channelName(row, names)));
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

function insertChannel({db, users, folders}: ImportContext, settings: GroupSettings, row: Row, name: string): number {
  const taken = db.get('SELECT 1 FROM channel WHERE name_key = ?', fold(name)) !== undefined;
  if (taken) row.fail(`two channels are called “${name}”.`);
  const permissions: Partial<ChannelPermissions> = settings.of(row, channelPermissionRules);
  const postPolicy = postPolicyGroups[row.optionalNumber('stream_post_policy') ?? 0];
  if (postPolicy !== undefined) permissions.can_send_message_group ??= postPolicy;
  return db.insert(
    `INSERT INTO channel (name, name_key, description, created_at, creator_id, invite_only, is_web_public,
       history_public_to_subscribers, is_archived, folder_id, message_retention_days, topics_policy,
       default_push_notifications, permissions) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    name,
    fold(name),
    row.optionalText('description', 1024) ?? '',
    row.time('date_created'),
    users.optional(row, 'creator'),
    row.bit('invite_only'),
    row.bit('is_web_public'),
    row.bit('history_public_to_subscribers', !row.flag('invite_only')),
    row.bit('deactivated'),
    folders.optional(row, 'folder'),
    row.optionalNumber('message_retention_days') ?? null,
    topicsPolicies[(row.optionalNumber('topics_policy') ?? 1) - 1] ?? 'inherit',
    row.bit('default_push_notifications'),
    JSON.stringify(permissions),
  );
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

export interface Recipient {
  readonly type: number;
  /** The new id of the channel, or of the user who receives a direct message (type 1). */
  readonly target: number;
}

export function recipientOf({db}: ImportContext, row: Row): Recipient {
  const id = row.number('recipient');
  const found = db.get<{type: number; target: number}>('SELECT type, target FROM work.recipient WHERE id = ?', id);
  return found ?? row.fail(`“recipient” names ${id}, which is not in the export.`);
}

function insertSubscription({db, users}: ImportContext, row: Row, channel: number): void {
  const color = row.optionalText('color', 10) ?? '';
  db.run(
    `INSERT OR IGNORE INTO subscription (user_id, channel_id, active, color, is_muted, pin_to_top, desktop_notifications,
       audible_notifications, push_notifications, email_notifications, wildcard_mentions_notify)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    users.of(row, 'user_profile'),
    channel,
    row.bit('active', true),
    /^#[0-9a-f]{6}$/i.test(color) ? color : '#76ce90',
    row.bit('is_muted'),
    row.bit('pin_to_top'),
    row.optionalBit('desktop_notifications'),
    row.optionalBit('audible_notifications'),
    row.optionalBit('push_notifications'),
    row.optionalBit('email_notifications'),
    row.optionalBit('wildcard_mentions_notify'),
  );
}
