import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';

/** The most characters of keys and values together that one bot may store. */
const maxSize = 10_000_000;

export function botStorage(act: ActionContext, bot: UserRow, keys: readonly string[] | undefined) {
  const values = storedValues(act, bot);
  if (keys === undefined) return Object.fromEntries(values);
  return Object.fromEntries(keys.map((key) => [key, requireValue(values, key)]));
}

export function updateBotStorage(act: ActionContext, bot: UserRow, changes: Readonly<Record<string, string>>): void {
  const values = new Map([...storedValues(act, bot), ...Object.entries(changes)]);
  const excess = [...values].reduce((size, [key, value]) => size + length(key) + length(value), -maxSize);
  if (excess > 0) {
    throw badRequest(`Request exceeds storage limit by ${excess} characters. The limit is ${maxSize} characters.`);
  }
  for (const [key, value] of Object.entries(changes)) {
    act.db.run('INSERT OR REPLACE INTO bot_storage (user_id, key, value) VALUES (?, ?, ?)', bot.id, key, value);
  }
}

export function removeBotStorage(act: ActionContext, bot: UserRow, keys: readonly string[] | undefined): void {
  const values = storedValues(act, bot);
  for (const key of keys ?? values.keys()) {
    requireValue(values, key);
    act.db.run('DELETE FROM bot_storage WHERE user_id = ? AND key = ?', bot.id, key);
  }
}

function storedValues({db}: ActionContext, bot: UserRow): Map<string, string> {
  const rows = db.all<{key: string; value: string}>('SELECT key, value FROM bot_storage WHERE user_id = ?', bot.id);
  return new Map(rows.map(({key, value}) => [key, value]));
}

function requireValue(values: ReadonlyMap<string, string>, key: string): string {
  const value = values.get(key);
  if (value === undefined) throw badRequest('Key does not exist.');
  return value;
}

function length(text: string): number {
  return Array.from(text).length;
}
