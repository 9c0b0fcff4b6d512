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
