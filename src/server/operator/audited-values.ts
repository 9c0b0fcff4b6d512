import type {ServerAccess} from '#server/context.ts';
import {organization} from '#server/permissions/has-permission.ts';

type Values = Readonly<Record<string, unknown>>;

/** The old and the new value of what changed, by its name; null if there was none. */
export type AuditedChanges = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

const userColumns = 'role, is_active, bot_owner_id, key_generation';

/** Reads what the administration log compares, by the parameter that names the target. None of it is a text of people. */
const readers: Readonly<Record<string, string>> = {
  user_id: `SELECT ${userColumns} FROM user WHERE id = ?`,
  bot_id: `SELECT ${userColumns} FROM user WHERE id = ?`,
  stream_id: `SELECT invite_only, is_web_public, history_public_to_subscribers, is_archived, is_default, folder_id,
    message_retention_days, topics_policy, permissions FROM channel WHERE id = ?`,
  user_group_id: 'SELECT deactivated, permissions FROM user_group WHERE id = ?',
};

/** The settings with texts, and with what belongs to people: only their names are kept. */
const textSettings: ReadonlySet<string> = new Set([
  'name',
  'description',
  'empty_topic_display_name',
  'welcome_message_custom_text',
  'icon_file',
  'logo_file',
  'night_logo_file',
  'user_setting_defaults',
]);

/** Returns the values of the target, and of the settings of the organization, before or after a change. */
export function auditedValues(act: ServerAccess, target: Readonly<Record<string, number>>): Values {
  const rows = Object.entries(target).map(([name, id]) => {
    const sql = Object.hasOwn(readers, name) ? readers[name] : undefined;
    return sql === undefined ? {} : act.server.db.get<Values>(sql, id);
  });
  const settings = Object.entries(organization(act)).filter(([name]) => !textSettings.has(name));
  return Object.assign({}, Object.fromEntries(settings), ...rows);
}

/** Returns what differs, and the numbers that a request named: ids of people or channels, roles, days. */
export function auditedChanges(before: Values, after: Values, params: Values = {}): AuditedChanges {
  const changed = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const named = Object.keys(params).filter((name) => isNumeric(params[name]) && !changed.includes(name));
  return Object.fromEntries([
    ...changed.map((name) => [name, [before[name] ?? null, after[name] ?? null]]),
    ...named.map((name) => [name, [null, params[name]]]),
  ]);
}

function isNumeric(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((each) => typeof each === 'number');
  return typeof value === 'number' || typeof value === 'boolean';
}
