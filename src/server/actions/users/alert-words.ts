import type {ActionContext} from '#server/context.ts';
import {alertWordWatchers} from '#server/db/alert-words.ts';
import type {Database} from '#server/db/database.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';

export function alertWords(db: Database, userId: number): string[] {
  return db.pluck<string>('SELECT word FROM alert_word WHERE user_id = ? ORDER BY word_key', userId);
}

/**
 * Adds words and returns all of the user's words. Words that differ only in case count as one; the first spelling
 * stays.
 */
export function addAlertWords(act: ActionContext, actor: UserRow, words: readonly string[]): string[] {
  for (const word of cleaned(words)) {
    act.db.insertRow('alert_word', {user_id: actor.id, word_key: fold(word), word}, 'OR IGNORE');
  }
  return currentWords(act, actor);
}

export function removeAlertWords(act: ActionContext, actor: UserRow, words: readonly string[]): string[] {
  act.db.run(
    'DELETE FROM alert_word WHERE user_id = ? AND word_key IN (SELECT value FROM json_each(?))',
    actor.id,
    JSON.stringify(words.map(fold)),
  );
  return currentWords(act, actor);
}

function cleaned(words: readonly string[]): string[] {
  const trimmed = words.map((word) => word.trim()).filter((word) => word !== '');
  for (const word of trimmed) {
    if (word.includes('\0')) throw badRequest('Alert words must not contain null bytes');
  }
  return trimmed;
}

/** Returns the user's alert words and emits them, as Zulip's servers do also if they did not change. */
function currentWords(act: ActionContext, actor: UserRow): string[] {
  const words = alertWords(act.db, actor.id);
  act.server.derivedFacts.invalidate(alertWordWatchers);
  act.emit({type: 'alert_words', to: [actor.id], body: {alert_words: words}});
  return words;
}
