/** Objects of administrators (playgrounds, groups of default channels, data exports), of bots, and of mobile devices. */
export const administration = /* sql */ `
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
