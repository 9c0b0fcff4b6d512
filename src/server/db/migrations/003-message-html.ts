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
