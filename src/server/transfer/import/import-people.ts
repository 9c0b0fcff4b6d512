import {checkedSetting, isSettingName, userSettingDefaults} from '#server/accounts/user-settings.ts';
import {fold} from '#server/db/rows.ts';
import {ApiError} from '#server/http/errors.ts';
import {systemBots} from '#server/organization/bootstrap.ts';
import {Role} from '#server/permissions/system-groups.ts';
import {type ImportContext, importedRows} from './import-context.ts';
import type {Row} from './row.ts';

const roles: ReadonlySet<number> = new Set(Object.values(Role));
const emailAddress = /^[^\s@:\p{Cc}]+@[^\s@:\p{Cc}]+$/u;

/** Imports people and bots. Zulip's system bots become those of this server. */
export function importPeople(context: ImportContext): void {
  const rows = ['userprofile', 'userprofile_mirrordummy'];
  for (const row of importedRows(context, 'userprofile_crossrealm')) {
    context.users.add(row, systemBotId(context, row.text('email', 254)));
  }
  for (const table of rows) {
    for (const row of importedRows(context, table)) context.users.add(row, insertUser(context, row));
  }
  for (const table of rows) {
    for (const row of context.realm.rows(`zerver_${table}`)) setBotOwner(context, row);
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
  const name = row.optionalText('full_name', 100)?.trim() || email;
  const isBot = row.bit('is_bot');
  const id = db.insertNewRow('user', {
    delivery_email: email,
    email_key: fold(email),
    full_name: name,
    name_key: fold(name),
    role,
    is_active: row.flag('is_active', true) && !row.flag('is_mirror_dummy') ? 1 : 0,
    is_bot: isBot,
    bot_type: isBot === 1 ? Math.min(4, Math.max(1, row.optionalNumber('bot_type') ?? 1)) : null,
    timezone: timeZone(row),
    avatar_version: row.optionalNumber('avatar_version') ?? 1,
    joined_at: row.time('date_joined'),
    is_imported_stub: row.bit('is_imported_stub'),
    is_deleted: row.bit('is_deleted'),
    settings: JSON.stringify(personalSettings(row)),
  });
  if (db.value('SELECT changes()') === 0) row.fail(`two accounts have the address ${email}.`);
  return id;
}

function timeZone(row: Row): string {
  return String(acceptedSetting('timezone', row.value('timezone')) ?? '');
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
  if (value === undefined || !isSettingName(name)) return undefined;
  try {
    return checkedSetting(name, value);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function setBotOwner({db, users}: ImportContext, row: Row): void {
  const owner = users.optional(row, 'bot_owner');
  if (owner !== null) db.run('UPDATE user SET bot_owner_id = ? WHERE id = ?', owner, users.of(row, 'id'));
}

/** Imports what bots stored on the server. */
export function importBotStorage(context: ImportContext): void {
  for (const row of importedRows(context, 'botstoragedata')) {
    context.db.insertNewRow('bot_storage', {
      user_id: context.users.of(row, 'bot_profile'),
      key: row.text('key', 10_000),
      value: row.text('value', 10_000_000),
    });
  }
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
