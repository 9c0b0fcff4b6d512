import type {DerivedFact} from '#server/derived-facts-cache.ts';

/** The ids of the users who watch for each alert word, in lower case. Must be invalidated when alert words change. */
export const alertWordWatchers: DerivedFact<ReadonlyMap<string, readonly number[]>> = {
  name: 'alert-words',
  derive(db) {
    const watchers = new Map<string, number[]>();
    for (const row of db.all<{user_id: number; word_key: string}>('SELECT user_id, word_key FROM alert_word')) {
      const userIds = watchers.get(row.word_key);
      if (userIds === undefined) watchers.set(row.word_key, [row.user_id]);
      else userIds.push(row.user_id);
    }
    return watchers;
  },
};
