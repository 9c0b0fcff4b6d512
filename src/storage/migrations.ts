import {initialSchema} from '#storage/migrations/001-initial-schema.ts';
import type {Database} from './database.ts';
import {NewerFormatError, NotParleyFileError} from './store-failures.ts';

/** The migrations, numbered and append-only: a file of an older version is migrated step by step. */
export const migrations: readonly string[] = [initialSchema];

/** "Parl": distinguishes Parley's files from other SQLite files. */
const applicationId = 0x5061726c;

/** The tables with user data or process records: checked at every start. */
const userDataTables = ['outbox', 'draft', 'deed', 'note', 'session', 'tally'];

/** Returns the format of a Parley file; 0 for an empty one. */
export function formatOf(db: Database): number {
  const isEmpty = db.number('SELECT count(*) FROM sqlite_schema') === 0;
  if (!isEmpty && db.number('PRAGMA application_id') !== applicationId) {
    throw new NotParleyFileError('It is not a Parley file.');
  }
  return db.number('PRAGMA user_version');
}

/** Migrates the file to the newest format; when two processes start at once, only one does. */
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
 * Throws when user data is damaged. Cached tables are not checked: in a large file that would cost every
 * start a quarter of a second; damage there is handled when it is found.
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
