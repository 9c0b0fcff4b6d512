import type {DerivedFact} from '#server/derived-facts-cache.ts';

/** Folded alert word → who watches for it. Forget it whenever alert words change. */
export const alertWordWatchers: DerivedFact<ReadonlyMap<string, readonly number[]>> = {
  name: 'alert-words',
  derive(db) {
    const watchers = new Map<string, number[]>();
    for (const row of db.all<{user_id: number; word_key: string}>(
      'SELECT user_id, word_key FROM alert_word',
    )) {
      const known = watchers.get(row.word_key);
      if (known === undefined) watchers.set(row.word_key, [row.user_id]);
      else known.push(row.user_id);
    }
    return watchers;
  },
};
