import {initialSchema} from '#storage/migrations/001-initial-schema.ts';
import type {Database} from './database.ts';
import {NewerFormatError, NotParleyFileError} from './store-failures.ts';

/** Numbered and append-only: a file made by an older Parley is brought forward step by step. */
export const migrations: readonly string[] = [initialSchema];

/** "Parl": tells our files from other SQLite files. */
const applicationId = 0x5061726c;

/** What was written by a person, or holds who is writing: checked at every start. */
const userDataTables = ['outbox', 'draft', 'deed', 'note', 'session', 'tally'];

/** The format of a file of ours; 0 for an empty one. */
export function formatOf(db: Database): number {
  const isEmpty = db.number('SELECT count(*) FROM sqlite_schema') === 0;
  if (!isEmpty && db.number('PRAGMA application_id') !== applicationId) {
    throw new NotParleyFileError('It is not a file of Parley.');
  }
  return db.number('PRAGMA user_version');
}

/** Brings the file to the newest format; two programs at once do it once. */
export function migrate(db: Database, steps: readonly string[]): void {
  if (formatOf(db) === steps.length) return;
  db.transaction('full', () => {
    const format = formatOf(db);
    if (format > steps.length) throw new NewerFormatError(false);
    for (const sql of steps.slice(format)) db.exec(sql);
    db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${steps.length}`);
  });
}

/**
 * Throws when what must not be lost is damaged. The cached tables are not looked at: a large file would cost every start a
 * quarter of a second; damage there shows, and is dealt with, when it is met.
 */
export function checkUserDataTables(db: Database): void {
  db.all('SELECT * FROM sqlite_schema');
  for (const table of userDataTables) {
    if (db.first('SELECT 1 FROM sqlite_schema WHERE name = ?', table) === undefined) {
      throw new NotParleyFileError(`The table ${table} is missing.`);
    }
    const result = db.first(`PRAGMA quick_check(${table})`)?.quick_check;
    if (result !== 'ok') throw new NotParleyFileError(String(result));
  }
  if (db.number('SELECT count(*) FROM tally') !== 1) throw new NotParleyFileError('The tally is missing.');
}
