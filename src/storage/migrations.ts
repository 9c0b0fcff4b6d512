import type {Database} from './database.ts';
import {NewerFormatError, NotParleyFileError} from './store-failures.ts';

/**
 * The first format. `outbox`, `draft`, `deed` and `note` contain user data; `message`, `message_text` and
 * `snapshot` are copies of the server's data.
 *
 * Some table names differ from those in the code and never change: `deed` contains pending changes, `note`
 * key-values, `snapshot` the saved state, and `session` the processes.
 */
const initialSchema = `
  CREATE TABLE outbox (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at REAL NOT NULL,
    status TEXT NOT NULL,
    owner TEXT,
    sent_at REAL,
    after_message_id INTEGER,
    message_id INTEGER,
    problem TEXT,
    draft_id TEXT
  );

  CREATE TABLE draft (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
  );

  CREATE TABLE deed (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    body TEXT NOT NULL,
    created_at REAL NOT NULL,
    owner TEXT
  );

  CREATE TABLE note (
    name TEXT PRIMARY KEY,
    body TEXT NOT NULL
  );

  -- The processes that may own outbox entries or pending changes.
  CREATE TABLE session (
    id TEXT PRIMARY KEY,
    pid INTEGER NOT NULL,
    host TEXT NOT NULL,
    boot TEXT NOT NULL,
    started TEXT NOT NULL,
    heartbeat REAL NOT NULL
  );

  -- Counters: changes of user data, by which other processes notice them, and saved messages.
  CREATE TABLE tally (
    changes INTEGER NOT NULL,
    messages INTEGER NOT NULL
  );
  INSERT INTO tally VALUES (0, 0);

  CREATE TABLE snapshot (
    name TEXT PRIMARY KEY,
    codec TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    saved_at REAL NOT NULL,
    body BLOB NOT NULL
  );

  CREATE TABLE message (
    id INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL,
    text_checksum INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX message_conversation ON message (conversation, id);

  -- Contentless: the text itself is in message.body. Prefixes: without them a search for the first letters takes half a second.
  CREATE VIRTUAL TABLE message_text USING fts5 (
    content, topic, sender,
    content = '', contentless_delete = 1, prefix = '1 2', tokenize = 'unicode61 remove_diacritics 2'
  );

  -- Deleted messages that are still in the index.
  CREATE TABLE stale_text (id INTEGER PRIMARY KEY);
`;

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
