import type {Database} from './database.ts';

/** The indexes that are dropped while a database is filled: building them once at the end is faster. */
const bulkIndexes = /message_by|subscription|user_message|dm_member_by/;

/** Drops indexes and search triggers; the returned function creates them again. */
export function dropIndexes(db: Database): () => void {
  const all = db.all<{type: string; name: string; sql: string | null}>('SELECT type, name, sql FROM sqlite_master');
  const dropped = all.filter(
    ({type, name, sql}) =>
      sql !== null &&
      (type === 'trigger' ? name.startsWith('message_fts') : type === 'index' && bulkIndexes.test(name)),
  );
  for (const {type, name} of dropped) db.exec(`DROP ${type} ${name}`);
  return () => {
    for (const {sql} of dropped) db.exec(sql ?? '');
  };
}

/** Makes all messages findable, after a database was filled without the search triggers. */
export function indexAllMessages(db: Database): void {
  db.exec(`INSERT INTO message_fts (message_fts) VALUES ('rebuild')`);
  db.exec('UPDATE search_progress SET through = (SELECT COALESCE(MAX(id), 0) FROM message)');
}
