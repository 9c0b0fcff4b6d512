import {foundation} from '#server/db/migrations/001-foundation.ts';
import {keepDatabaseCopy} from '#std/keep-database-copy.ts';
import type {Database} from './database.ts';

/** Finds the messages that became a user's own by a star or a reaction, without having been received. */
export const historicalMessages = /* sql */ `
CREATE INDEX user_message_historical ON user_message (user_id, message_id) WHERE flags & 256;
`;

/**
 * The HTML of messages that depends on names and linkifiers: it stays as it was when the message was sent or edited.
 * Other messages are rendered when they are fetched.
 */
export const messageHtml = `
CREATE TABLE message_html (message_id INTEGER PRIMARY KEY, html TEXT NOT NULL);
CREATE TRIGGER message_html_delete AFTER DELETE ON message BEGIN
  DELETE FROM message_html WHERE message_id = old.id;
END;
`;

/**
 * Makes new channel messages unread without a row per subscriber (see `db/unread-messages.ts`). The rows of older
 * messages stay: they are `unread_by_default = 0`, and every subscription starts after them.
 */
const unreadByDefault = /* sql */ `
ALTER TABLE message ADD COLUMN unread_by_default INTEGER NOT NULL DEFAULT 0;
ALTER TABLE subscription ADD COLUMN unread_since INTEGER NOT NULL DEFAULT 0;
INSERT INTO user_message (user_id, message_id, flags)
  SELECT s.user_id, a.message_id, a.flags
  FROM arrival AS a CROSS JOIN subscription AS s ON s.channel_id = a.channel_id AND s.active = 1
  WHERE s.user_id NOT IN (SELECT value FROM json_each(a.settled));
DROP TABLE arrival;
UPDATE subscription SET unread_since = 1 + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'message'), 0);
`;

/** Objects of administrators (playgrounds, groups of default channels, data exports), of bots, and of mobile devices. */
const administration = /* sql */ `
CREATE TABLE playground (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL, pygments_language TEXT NOT NULL, url_template TEXT NOT NULL, UNIQUE (pygments_language, name)
);

CREATE TABLE default_channel_group (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL
);
CREATE TABLE default_channel_group_channel (
  group_id INTEGER NOT NULL, channel_id INTEGER NOT NULL, PRIMARY KEY (group_id, channel_id)
) WITHOUT ROWID;

CREATE TABLE data_export (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type INTEGER NOT NULL, acting_user_id INTEGER NOT NULL, requested_at INTEGER NOT NULL,
  failed_at INTEGER, deleted_at INTEGER, url TEXT
);

CREATE TABLE bot_storage (
  user_id INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (user_id, key)
) WITHOUT ROWID;

-- The steps that a user has seen.
CREATE TABLE onboarding_step (
  user_id INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (user_id, name)
) WITHOUT ROWID;

CREATE TABLE client_device (id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL);
CREATE INDEX client_device_by_user ON client_device (user_id);

-- kind is apple or android
CREATE TABLE push_token (
  user_id INTEGER NOT NULL, kind TEXT NOT NULL, token TEXT NOT NULL, PRIMARY KEY (user_id, kind, token)
) WITHOUT ROWID;
`;

/**
 * The old texts of search entries whose messages were changed or deleted: `deferred-message-work.ts` replaces the entries
 * later, because a topic may have a hundred thousand messages. FTS5 needs the old text to remove an entry.
 */
const deferredReindexing = /* sql */ `
CREATE TABLE search_outdated (id INTEGER PRIMARY KEY, content TEXT NOT NULL, topic TEXT NOT NULL, place TEXT);
DROP TRIGGER message_fts_delete;
DROP TRIGGER message_fts_unindex;
DROP TRIGGER message_fts_reindex;
CREATE TRIGGER message_fts_delete BEFORE DELETE ON message
  WHEN old.id <= (SELECT through FROM search_progress) BEGIN
  INSERT OR IGNORE INTO search_outdated SELECT * FROM message_text WHERE id = old.id;
END;
CREATE TRIGGER message_fts_change BEFORE UPDATE OF content, topic, channel_id ON message
  WHEN old.id <= (SELECT through FROM search_progress) BEGIN
  INSERT OR IGNORE INTO search_outdated SELECT * FROM message_text WHERE id = old.id;
END;
`;

/** Names of groups are unique by exact case, no longer ignoring case. SQLite cannot change a constraint of a table. */
const groupNames = /* sql */ `
CREATE TABLE user_group_by_exact_name (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE, name_key TEXT NOT NULL, description TEXT NOT NULL DEFAULT '',
  is_system INTEGER NOT NULL DEFAULT 0, deactivated INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER, creator_id INTEGER,
  -- {can_manage_group: GSV, …}; absent = default
  permissions TEXT NOT NULL DEFAULT '{}'
);
INSERT INTO user_group_by_exact_name
  SELECT id, name, name_key, description, is_system, deactivated, created_at, creator_id, permissions FROM user_group;
DROP TABLE user_group;
ALTER TABLE user_group_by_exact_name RENAME TO user_group;
CREATE INDEX user_group_by_name_key ON user_group (name_key);
`;

/**
 * The search index contains the words as `search_text` (`search-text.ts`) spells them. All messages are indexed again in the
 * background (`deferred-message-work.ts`).
 */
export const searchStems = /* sql */ `
DROP TABLE message_fts;
DROP VIEW message_text;
CREATE VIEW message_text AS
  SELECT m.id, search_text(m.content) AS content, search_text(m.topic) AS topic,
    iif(m.dm_id IS NULL, 'c' || m.channel_id,
      (SELECT 'd' || dm.id || ' u' || replace(dm.key, ',', ' u') FROM dm WHERE dm.id = m.dm_id)) AS place
  FROM message AS m;
CREATE VIRTUAL TABLE message_fts USING fts5 (
  content, topic, place, content='message_text', content_rowid='id', tokenize='unicode61 remove_diacritics 2'
);
DELETE FROM search_outdated;
UPDATE search_progress SET through = 0;
`;

/** Words with accents are other words, as on Zulip's servers. All messages are indexed again in the background. */
const searchAccents = /* sql */ `
DROP TABLE message_fts;
CREATE VIRTUAL TABLE message_fts USING fts5 (
  content, topic, place, content='message_text', content_rowid='id', tokenize='unicode61 remove_diacritics 0'
);
DELETE FROM search_outdated;
UPDATE search_progress SET through = 0;
`;

/** Messages that were deleted because of their age, each with all its rows as JSON, and the files that they link to. */
const messageArchive = /* sql */ `
CREATE TABLE archived_message (id INTEGER PRIMARY KEY, archived_at INTEGER NOT NULL, rows TEXT NOT NULL);
CREATE INDEX archived_message_by_time ON archived_message (archived_at);
CREATE TABLE archived_attachment (
  attachment_id INTEGER NOT NULL, message_id INTEGER NOT NULL, PRIMARY KEY (message_id, attachment_id)
) WITHOUT ROWID;
CREATE INDEX archived_attachment_by_attachment ON archived_attachment (attachment_id);
`;

/** The unread messages that users will be told about by mail. */
const missedMessages = /* sql */ `
CREATE TABLE missed_message (
  user_id INTEGER NOT NULL, message_id INTEGER NOT NULL, due_at INTEGER NOT NULL, PRIMARY KEY (user_id, message_id)
) WITHOUT ROWID;
CREATE INDEX missed_message_due ON missed_message (due_at);
`;

/** What administrators and the operator changed: names of parameters and ids, and no texts. */
const administrationLog = /* sql */ `
CREATE TABLE administration_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- NULL: the operator
  user_id INTEGER, at INTEGER NOT NULL, action TEXT NOT NULL, target TEXT NOT NULL, fields TEXT NOT NULL
);
`;

/** The mails that wait to be sent, or were given up: about what and to whom, without their texts. */
const mailQueue = /* sql */ `
CREATE TABLE mail_queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL, recipient TEXT NOT NULL, about TEXT NOT NULL, created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- NULL: given up
  due_at INTEGER, error TEXT
);
`;

/** Since when no message links to an upload: it is deleted after some weeks. */
const unusedUploads = /* sql */ `
CREATE TABLE unused_upload (attachment_id INTEGER PRIMARY KEY, since INTEGER NOT NULL);
`;

/** The old and new values of what administrators and the operator changed, as far as they are no texts. */
const administrationChanges = /* sql */ `
ALTER TABLE administration_log ADD COLUMN changes TEXT NOT NULL DEFAULT '{}';
`;

/** The keys with which people log in over SSH. A key belongs to one account. */
const sshKeys = /* sql */ `
CREATE TABLE ssh_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL, type TEXT NOT NULL, fingerprint TEXT NOT NULL UNIQUE, comment TEXT NOT NULL,
  added_at INTEGER NOT NULL, last_used_at INTEGER
);
CREATE INDEX ssh_key_by_user ON ssh_key (user_id);
`;

/** The schema versions, append-only: a database of an older Parley is migrated step by step. */
const migrations: readonly string[] = [
  foundation,
  historicalMessages,
  messageHtml,
  unreadByDefault,
  administration,
  deferredReindexing,
  groupNames,
  searchStems,
  messageArchive,
  missedMessages,
  administrationLog,
  searchAccents,
  mailQueue,
  unusedUploads,
  administrationChanges,
  sshKeys,
];

/** Returns the version of the schema that this Parley writes. */
export function newestSchema(): number {
  return migrations.length;
}

/** The error when the schema is one that this Parley does not know. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';

  constructor(version: number) {
    super(
      `This data was written by a newer Parley (schema ${version}, this one knows ${migrations.length}). Update Parley.`,
    );
  }
}

/** Brings the schema to the newest version. A file of an older version is copied first, and `onConvert` is called. */
export function migrate(db: Database, path?: string, onConvert: (sentence: string) => void = () => {}): void {
  const version = db.schema;
  if (version > migrations.length) throw new NewerSchema(version);
  if (version === migrations.length) return;
  if (version > 0 && path !== undefined) {
    const copy = keepDatabaseCopy(db, path, migrations.length);
    onConvert(
      `The data is of an older Parley: it is converted from schema ${version} to ${migrations.length}. As it was, it is kept in ${copy}: delete that file when you do not need it any more.`,
    );
  }
  // All or nothing, so that the copy has what was there before.
  db.transaction(() => {
    for (const sql of migrations.slice(version)) db.exec(sql);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}
