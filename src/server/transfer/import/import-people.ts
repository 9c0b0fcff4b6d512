import {checkedSetting, isSettingName, userSettingDefaults} from '#server/accounts/user-settings.ts';
import {directConversationKey, findOrCreateDirectConversation} from '#server/db/messages.ts';
import {fold} from '#server/db/rows.ts';
import {accountColumns} from '#server/db/users.ts';
import {unlessRefused} from '#server/errors.ts';
import {systemBots} from '#server/organization/bootstrap.ts';
import {
  channelPermissionRules,
  groupPermissionRules,
  groupsByCode,
  type PermissionRule,
  postPolicyCodes,
  Role,
  SystemGroup,
  systemGroups,
} from '#server/organization/permission-rules.ts';
import type {ChannelPermissions} from '#server/permissions/channel.ts';
import {canonicalGroupSetting} from '#server/permissions/group.ts';
import {topicsPolicies} from '#wire/objects/channel.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import {allowedName, type ImportContext, importedRows, type Row} from './import-context.ts';

const roles: ReadonlySet<number> = new Set(Object.values(Role));
const emailAddress = /^[^\s@:\p{Cc}]+@[^\s@:\p{Cc}]+$/u;

/** Imports people and bots. Zulip's system bots become those of this server. */
export function importPeople(context: ImportContext): void {
  const {db, realm, users} = context;
  const rows = ['userprofile', 'userprofile_mirrordummy'];
  for (const row of importedRows(context, 'userprofile_crossrealm')) {
    users.add(row, systemBotId(context, row.text('email', 254)));
  }
  for (const table of rows) {
    for (const row of importedRows(context, table)) users.add(row, insertUser(context, row));
  }
  for (const table of rows) {
    for (const row of realm.rows(`zerver_${table}`)) {
      const owner = users.optional(row, 'bot_owner');
      if (owner !== null) db.updateRow('user', users.of(row, 'id'), {bot_owner_id: owner});
    }
  }
}

/** Returns the system bot with the same name before the `@`; the bot for notices stands for those of old servers. */
function systemBotId({db}: ImportContext, email: string): number {
  const [name = ''] = email.split('@');
  const same = Object.values(systemBots).find((bot) => bot.email.startsWith(`${name}@`));
  return db.value('SELECT id FROM user WHERE email_key = ?', fold((same ?? systemBots.notification).email)) ?? 0;
}

function insertUser({db}: ImportContext, row: Row): number {
  const email = row.optionalText('delivery_email', 254) || row.text('email', 254);
  if (!emailAddress.test(email)) row.fail(`“${email}” is not an e-mail address.`);
  const role = row.number('role');
  if (!roles.has(role)) row.fail(`there is no role ${role}.`);
  const name = allowedName(row.optionalText('full_name', 100) ?? '') || email;
  const isBot = row.bit('is_bot');
  const id = db.insertNewRow('user', {
    ...accountColumns(email, name),
    role,
    is_active: row.flag('is_active', true) && !row.flag('is_mirror_dummy') ? 1 : 0,
    is_bot: isBot,
    bot_type: isBot === 1 ? Math.min(4, Math.max(1, row.optionalNumber('bot_type') ?? 1)) : null,
    timezone: String(acceptedSetting('timezone', row.value('timezone')) ?? ''),
    avatar_version: row.optionalNumber('avatar_version') ?? 1,
    joined_at: row.time('date_joined'),
    is_imported_stub: row.bit('is_imported_stub'),
    is_deleted: row.bit('is_deleted'),
    settings: JSON.stringify(personalSettings(row)),
  });
  if (db.value('SELECT changes()') === 0) row.fail(`two accounts have the address ${email}.`);
  return id;
}

/** The settings that Zulip stores as numbers, as the API names their values. */
const settingWords: Readonly<Record<string, readonly string[]>> = {
  resolved_topic_notice_auto_read_policy: ['always', 'except_followed', 'never'],
};

/** Returns the settings that differ from the defaults. A value that this server does not know stays at its default. */
export function personalSettings(row: Row): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const name of Object.keys(userSettingDefaults)) {
    // Servers before Zulip 8 have another name for it.
    const stored = row.value(name) ?? (name === 'web_home_view' ? row.value('default_view') : undefined);
    // Below level 454 the recent view has another name.
    const written = name === 'web_home_view' && stored === 'recent_topics' ? 'recent' : stored;
    const value = acceptedSetting(name, settingWords[name]?.[Number(written) - 1] ?? written);
    if (name !== 'timezone' && value !== undefined && value !== Reflect.get(userSettingDefaults, name)) {
      settings[name] = value;
    }
  }
  return settings;
}

function acceptedSetting(name: string, value: unknown): unknown {
  return value === undefined || !isSettingName(name) ? undefined : unlessRefused(() => checkedSetting(name, value));
}

/** Imports the channels that bots send to and hear by default. */
export function importBotDefaults({db, realm, users, channels}: ImportContext): void {
  for (const row of realm.rows('zerver_userprofile')) {
    const sending = channels.optional(row, 'default_sending_stream');
    const events = channels.optional(row, 'default_events_register_stream');
    const all = row.bit('default_all_public_streams');
    if (!row.flag('is_bot') || (sending === null && events === null && all === 0)) continue;
    db.insertRow('bot', {
      user_id: users.of(row, 'id'),
      default_sending_channel_id: sending,
      default_events_channel_id: events,
      default_all_public_streams: all,
    });
  }
}

/** Returns the permissions among `rules` that the row has; those that are absent have their defaults. */
export function permissionsOf(
  {groups, unnamedGroups}: ImportContext,
  row: Row,
  rules: Readonly<Record<string, PermissionRule>>,
): Record<string, GroupSetting> {
  const names = Object.keys(rules).filter((name) => row.optionalNumber(name) !== undefined);
  const settingOf = (name: string) => {
    const set = unnamedGroups.get(row.number(name));
    return set === undefined ? groups.of(row, name) : canonicalGroupSetting(set);
  };
  return Object.fromEntries(names.map((name) => [name, settingOf(name)]));
}

/** Imports the groups of the organization. The system groups become those of this server, which has no other members in them. */
export function importGroups(context: ImportContext): void {
  const {db, realm, groups, unnamedGroups} = context;
  const named = [...realm.names].includes('zerver_namedusergroup') ? 'namedusergroup' : 'usergroup';
  for (const row of importedRows(context, named)) {
    if (row.has('name')) groups.add(row, groupOf(context, row));
  }
  for (const row of realm.rows('zerver_usergroup')) {
    const id = row.number('id');
    if (groups.get(id) === undefined) unnamedGroups.set(id, {direct_members: [], direct_subgroups: []});
  }
  importMembers(context);
  for (const row of realm.rows(`zerver_${named}`)) {
    const id = groups.get(row.optionalNumber('id'));
    if (id === undefined || id <= SystemGroup.nobody) continue;
    db.updateRow('user_group', id, {permissions: JSON.stringify(permissionsOf(context, row, groupPermissionRules))});
  }
}

function groupOf({db, users}: ImportContext, row: Row): number {
  const name = row.name('name', 100);
  if (row.flag('is_system_group')) {
    // Servers before Zulip 8 have an `@` before the name.
    const system = systemGroups.find((group) => group.name === name.replace(/^@/, ''));
    return system?.id ?? row.fail(`there is no system group “${name}”.`);
  }
  const taken = db.has('user_group', {name});
  if (taken) row.fail(`two groups are called “${name}”.`);
  return db.insertRow('user_group', {
    name,
    name_key: fold(name),
    description: row.optionalText('description', 1024) ?? '',
    deactivated: row.bit('deactivated'),
    created_at: row.optionalTime('date_created') ?? null,
    creator_id: users.optional(row, 'creator'),
  });
}

/** Imports members and subgroups. Who is in a system group follows from the role. */
function importMembers(context: ImportContext): void {
  const {db, users, groups, unnamedGroups} = context;
  for (const row of importedRows(context, 'usergroupmembership')) {
    const user = users.of(row, 'user_profile');
    const set = unnamedGroups.get(row.number('user_group'));
    const group = set === undefined ? groups.of(row, 'user_group') : 0;
    set?.direct_members.push(user);
    if (group > SystemGroup.nobody) db.insertNewRow('group_member', {group_id: group, user_id: user});
  }
  for (const row of importedRows(context, 'groupgroupmembership')) {
    const subgroup = groups.of(row, 'subgroup');
    const set = unnamedGroups.get(row.number('supergroup'));
    const group = set === undefined ? groups.of(row, 'supergroup') : 0;
    set?.direct_subgroups.push(subgroup);
    if (group > SystemGroup.nobody) db.insertNewRow('group_subgroup', {group_id: group, subgroup_id: subgroup});
  }
}

/** Who may post, by the number that servers before Zulip 10 have instead of a group. */
const postPolicyGroups = groupsByCode(postPolicyCodes);

export function importChannels(context: ImportContext): void {
  const {db, users, folders, channels} = context;
  for (const row of importedRows(context, 'channelfolder')) {
    const name = row.name('name', 60);
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
  const names = new Set([...context.realm.rows('zerver_stream')].map((row) => fold(row.name('name', 60))));
  for (const row of importedRows(context, 'stream')) {
    channels.add(row, insertChannel(context, row, channelName(row, names)));
  }
  for (const row of importedRows(context, 'defaultstream')) {
    db.updateRow('channel', channels.of(row, 'stream'), {is_default: 1});
  }
}

/** Returns the name of a channel. Servers before Zulip 10 put a mark before those of archived channels. */
function channelName(row: Row, names: Set<string>): string {
  const name = row.name('name', 60);
  const former = name.replace(/^(?:[0-9a-f]{7}|!*)!DEACTIVATED:/, '');
  if (!row.flag('deactivated') || former === '' || names.has(fold(former))) return name;
  names.add(fold(former));
  return former;
}

function insertChannel(context: ImportContext, row: Row, name: string): number {
  const {db, users, folders} = context;
  const taken = db.has('channel', {name_key: fold(name)});
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
