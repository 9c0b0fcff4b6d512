/**
 * The first format. `outbox`, `draft`, `deed` and `note` are what must not be lost; `message`, `message_text` and
 * `snapshot` are copies of what the server has.
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

  -- The programs that may hold something.
  CREATE TABLE session (
    id TEXT PRIMARY KEY,
    pid INTEGER NOT NULL,
    host TEXT NOT NULL,
    boot TEXT NOT NULL,
    started TEXT NOT NULL,
    heartbeat REAL NOT NULL
  );

  -- Counted up by every change that other programs want to hear of.
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

  -- Contentless: the text itself is in message.body. Prefixes: without them the first letters typed take half a second.
  CREATE VIRTUAL TABLE message_text USING fts5 (
    content, topic, sender,
    content = '', contentless_delete = 1, prefix = '1 2', tokenize = 'unicode61 remove_diacritics 2'
  );

  -- Messages that are gone, but not from the index yet.
  CREATE TABLE stale_text (id INTEGER PRIMARY KEY);
`;
