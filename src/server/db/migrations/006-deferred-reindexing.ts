/**
 * The old texts of search entries whose messages were changed or deleted: `deferred-message-work.ts` replaces the entries
 * later, because a topic may have a hundred thousand messages. FTS5 needs the old text to remove an entry.
 */
export const deferredReindexing = /* sql */ `
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
