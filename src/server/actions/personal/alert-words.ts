import type {RequestContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {alertWordWatchers} from '#server/db/personal-items.ts';
import {fold} from '#server/db/rows.ts';
import {check} from '#server/errors.ts';
import {type Route, route} from '#server/route.ts';
import {endpoints} from '#wire/endpoints.ts';

export const alertWordRoutes: readonly Route[] = [
  route(endpoints.getAlertWords, 'account', ({db, actor}) => ({alert_words: alertWords(db, actor.id)})),
  // Words that differ only in case count as one; the first spelling stays.
  route(endpoints.addAlertWords, 'account', (call, params) => {
    for (const word of cleanedWords(params.alert_words)) {
      call.db.insertNewRow('alert_word', {user_id: call.actor.id, word_key: fold(word), word});
    }
    return {alert_words: currentWords(call)};
  }),
  route(endpoints.removeAlertWords, 'account', (call, params) => {
    const sql = 'DELETE FROM alert_word WHERE user_id = ? AND word_key IN (SELECT value FROM json_each(?))';
    call.db.run(sql, call.actor.id, JSON.stringify(params.alert_words.map(fold)));
    return {alert_words: currentWords(call)};
  }),
];

export function alertWords(db: Database, userId: number): string[] {
  return db.pluck<string>('SELECT word FROM alert_word WHERE user_id = ? ORDER BY word_key', userId);
}

function cleanedWords(words: readonly string[]): string[] {
  const trimmed = words.map((word) => word.trim()).filter((word) => word !== '');
  for (const word of trimmed) {
    check(!word.includes('\0'), 'Alert words must not contain null bytes');
  }
  return trimmed;
}

/** Returns the user's alert words and emits them, as Zulip's servers do also if they did not change. */
function currentWords(act: RequestContext): string[] {
  const {actor} = act;
  const words = alertWords(act.db, actor.id);
  act.server.derivedFacts.invalidate(alertWordWatchers);
  act.emit('alert_words', [actor.id], {alert_words: words});
  return words;
}
