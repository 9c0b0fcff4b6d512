import type {ActionContext} from '#server/context.ts';
import {alertWordWatchers} from '#server/db/alert-words.ts';
import type {Database} from '#server/db/database.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';

const longest = 100;

export function alertWords(db: Database, userId: number): string[] {
  return db.pluck<string>('SELECT word FROM alert_word WHERE user_id = ? ORDER BY word_key', userId);
}

/** Words that differ only in case are one word; the first spelling stays. */
export function addAlertWords(act: ActionContext, actor: UserRow, words: readonly string[]): string[] {
  let changed = 0;
  for (const word of cleaned(words)) {
    changed += act.db.run(
      'INSERT OR IGNORE INTO alert_word (user_id, word_key, word) VALUES (?, ?, ?)',
      actor.id,
      fold(word),
      word,
    );
  }
  return told(act, actor, changed > 0);
}

export function removeAlertWords(act: ActionContext, actor: UserRow, words: readonly string[]): string[] {
  const changed = act.db.run(
    'DELETE FROM alert_word WHERE user_id = ? AND word_key IN (SELECT value FROM json_each(?))',
    actor.id,
    JSON.stringify(words.map((word) => fold(word.trim()))),
  );
  return told(act, actor, changed > 0);
}

function cleaned(words: readonly string[]): string[] {
  const trimmed = words.map((word) => word.trim()).filter((word) => word !== '');
  for (const word of trimmed) {
    if (Array.from(word).length > longest) {
      throw badRequest(`An alert word is too long (limit: ${longest} characters)`);
    }
    if (word.includes('\0')) throw badRequest('Alert words must not contain null bytes');
  }
  return trimmed;
}

function told(act: ActionContext, actor: UserRow, changed: boolean): string[] {
  const words = alertWords(act.db, actor.id);
  if (changed) {
    act.world.derivedFacts.invalidate(alertWordWatchers);
    act.emit({type: 'alert_words', to: [actor.id], body: {alert_words: words}});
  }
  return words;
}
