/**
 * Makes new channel messages unread without a row per subscriber (see `db/unread-messages.ts`). The rows of older
 * messages stay: they are `unread_by_default = 0`, and every subscription starts after them.
 */
export const unreadByDefault = /* sql */ `
ALTER TABLE message ADD COLUMN unread_by_default INTEGER NOT NULL DEFAULT 0;
ALTER TABLE subscription ADD COLUMN unread_since INTEGER NOT NULL DEFAULT 0;
INSERT INTO user_message (user_id, message_id, flags)
  SELECT s.user_id, a.message_id, a.flags
  FROM arrival AS a CROSS JOIN subscription AS s ON s.channel_id = a.channel_id AND s.active = 1
  WHERE s.user_id NOT IN (SELECT value FROM json_each(a.settled));
DROP TABLE arrival;
UPDATE subscription SET unread_since = 1 + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'message'), 0);
`;
