/**
 * The first format. `outbox`, `draft`, `deed` and `note` contain user data; `message`, `message_text` and
 * `snapshot` are copies of the server's data.
 *
 * Some table names differ from those in the code and never change: `deed` contains pending changes, `note`
 * key-values, `snapshot` the saved state, and `session` the processes.
 */
export const initialSchema = `
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
