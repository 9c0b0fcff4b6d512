/**
 * The schema of the server's database.
 *
 * `*_key` columns hold the lower-case form that is compared.
 * `*_at` columns are UNIX seconds. Booleans are 0/1. `json` columns hold JSON text.
 */
export const foundation = /* sql */ `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Organization settings that differ from their default; value is JSON.
CREATE TABLE realm_setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE user (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  delivery_email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  role INTEGER NOT NULL DEFAULT 400,
  is_active INTEGER NOT NULL DEFAULT 1,
  is_bot INTEGER NOT NULL DEFAULT 0,
  bot_type INTEGER,
  bot_owner_id INTEGER,
  is_system_bot INTEGER NOT NULL DEFAULT 0,
  timezone TEXT NOT NULL DEFAULT '',
  avatar_source TEXT NOT NULL DEFAULT 'G',
  avatar_version INTEGER NOT NULL DEFAULT 1,
  avatar_file TEXT,
  joined_at INTEGER NOT NULL,
  -- 1 until the owner of an account that an administrator created signs in; that login sets joined_at.
  awaits_login INTEGER NOT NULL DEFAULT 0,
  is_imported_stub INTEGER NOT NULL DEFAULT 0,
  is_deleted INTEGER NOT NULL DEFAULT 0,
  password_hash TEXT,
  -- API keys are derived from the server's secret and this counter; they are not stored.
  key_generation INTEGER NOT NULL DEFAULT 0,
  -- user_settings that differ from their default: {name: value}
  settings TEXT NOT NULL DEFAULT '{}',
  video_token INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX user_by_name ON user (name_key);
-- Covers the queries of system groups, so that listing their members never reads the table.
CREATE INDEX user_by_role ON user (role, is_active, is_system_bot, joined_at);
CREATE INDEX user_by_owner ON user (bot_owner_id) WHERE bot_owner_id IS NOT NULL;

-- A bot's defaults; without a row they are null and 0.
CREATE TABLE bot (
  user_id INTEGER PRIMARY KEY, default_sending_channel_id INTEGER, default_events_channel_id INTEGER,
  default_all_public_streams INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE presence (
  user_id INTEGER PRIMARY KEY, active_at INTEGER, idle_at INTEGER, update_id INTEGER NOT NULL
);
CREATE INDEX presence_by_update ON presence (update_id);

CREATE TABLE user_status (
  user_id INTEGER PRIMARY KEY,
  status_text TEXT NOT NULL DEFAULT '', emoji_name TEXT NOT NULL DEFAULT '', emoji_code TEXT NOT NULL DEFAULT '',
  reaction_type TEXT NOT NULL DEFAULT '', away INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE profile_field (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL, hint TEXT NOT NULL DEFAULT '', type INTEGER NOT NULL, field_data TEXT NOT NULL DEFAULT '',
  sort_order INTEGER NOT NULL,
  required INTEGER NOT NULL DEFAULT 0, editable_by_user INTEGER NOT NULL DEFAULT 1,
  display_in_profile_summary INTEGER NOT NULL DEFAULT 0, use_for_user_matching INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE profile_value (
  user_id INTEGER NOT NULL, field_id INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (user_id, field_id)
) WITHOUT ROWID;

CREATE TABLE muted_user (
  user_id INTEGER NOT NULL, muted_id INTEGER NOT NULL, muted_at INTEGER NOT NULL, PRIMARY KEY (user_id, muted_id)
) WITHOUT ROWID;
CREATE INDEX muted_user_by_muted ON muted_user (muted_id);

CREATE TABLE alert_word (
  user_id INTEGER NOT NULL, word_key TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (user_id, word_key)
) WITHOUT ROWID;

-- Membership of system groups (name 'role:…') follows from user.role and is not stored in group_member.
CREATE TABLE user_group (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, description TEXT NOT NULL DEFAULT '',
  is_system INTEGER NOT NULL DEFAULT 0, deactivated INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER, creator_id INTEGER,
  -- {can_manage_group: GSV, …}; absent = default
  permissions TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE group_member (
  group_id INTEGER NOT NULL, user_id INTEGER NOT NULL, PRIMARY KEY (group_id, user_id)
) WITHOUT ROWID;
CREATE INDEX group_member_by_user ON group_member (user_id);
CREATE TABLE group_subgroup (
  group_id INTEGER NOT NULL, subgroup_id INTEGER NOT NULL, PRIMARY KEY (group_id, subgroup_id)
) WITHOUT ROWID;

CREATE TABLE channel_folder (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL, name_key TEXT NOT NULL, description TEXT NOT NULL DEFAULT '',
  sort_order INTEGER NOT NULL, created_at INTEGER NOT NULL, creator_id INTEGER, is_archived INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE channel (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, description TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL, creator_id INTEGER,
  invite_only INTEGER NOT NULL DEFAULT 0,
  is_web_public INTEGER NOT NULL DEFAULT 0,
  history_public_to_subscribers INTEGER NOT NULL DEFAULT 1,
  is_archived INTEGER NOT NULL DEFAULT 0,
  is_default INTEGER NOT NULL DEFAULT 0,
  folder_id INTEGER,
  message_retention_days INTEGER,
  topics_policy TEXT NOT NULL DEFAULT 'inherit',
  default_push_notifications INTEGER NOT NULL DEFAULT 0,
  first_message_id INTEGER,
  last_message_at INTEGER,
  -- Active subscriptions of active users; updated by the subscription actions.
  subscriber_count INTEGER NOT NULL DEFAULT 0,
  -- {can_send_message_group: GSV, …}; absent = default
  permissions TEXT NOT NULL DEFAULT '{}'
);

CREATE TABLE subscription (
  user_id INTEGER NOT NULL, channel_id INTEGER NOT NULL,
  -- 0 ended, 1 subscribed, 2 suspended while the account is deactivated and restored with it
  active INTEGER NOT NULL DEFAULT 1,
  color TEXT NOT NULL DEFAULT '#76ce90',
  is_muted INTEGER NOT NULL DEFAULT 0,
  pin_to_top INTEGER NOT NULL DEFAULT 0,
  desktop_notifications INTEGER, audible_notifications INTEGER, push_notifications INTEGER,
  email_notifications INTEGER, wildcard_mentions_notify INTEGER,
  PRIMARY KEY (user_id, channel_id)
) WITHOUT ROWID;
CREATE INDEX subscription_by_channel ON subscription (channel_id, user_id) WHERE active = 1;

-- The messages of a channel that a user received: those with since_id <= id and (until_id is null or id < until_id).
CREATE TABLE subscription_period (
  user_id INTEGER NOT NULL, channel_id INTEGER NOT NULL, since_id INTEGER NOT NULL, until_id INTEGER,
  PRIMARY KEY (user_id, channel_id, since_id)
) WITHOUT ROWID;
CREATE INDEX subscription_period_by_channel ON subscription_period (channel_id, user_id);

-- A direct conversation is its set of users: key is their sorted ids joined by commas, all participants included.
CREATE TABLE dm (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, size INTEGER NOT NULL);
CREATE TABLE dm_member (
  user_id INTEGER NOT NULL, dm_id INTEGER NOT NULL, PRIMARY KEY (user_id, dm_id)
) WITHOUT ROWID;
CREATE INDEX dm_member_by_dm ON dm_member (dm_id);

CREATE TABLE message (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sender_id INTEGER NOT NULL,
  -- Exactly one of the two is set.
  channel_id INTEGER, dm_id INTEGER,
  topic TEXT NOT NULL DEFAULT '', topic_key TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  client TEXT NOT NULL DEFAULT '',
  -- What the content contains: 1 link, 2 image, 4 attachment, 8 '/me', 16 channel wildcard, 32 topic wildcard
  traits INTEGER NOT NULL DEFAULT 0,
  -- Newest first, as in the API, without prev_rendered_content.
  edit_history TEXT,
  last_edit_at INTEGER, last_moved_at INTEGER
);
CREATE INDEX message_by_topic ON message (channel_id, topic_key, id) WHERE channel_id IS NOT NULL;
CREATE INDEX message_by_channel ON message (channel_id, id) WHERE channel_id IS NOT NULL;
CREATE INDEX message_by_dm ON message (dm_id, id) WHERE dm_id IS NOT NULL;
CREATE INDEX message_by_sender ON message (sender_id, channel_id, id);
CREATE INDEX message_with_extras ON message (channel_id, dm_id, id, traits) WHERE traits & 7;

-- \`place\` is 'c12' in a channel and 'd34 u5 u6' in a direct conversation. It is indexed with the text, so that a
-- search can skip the hits in conversations that the user cannot read.
CREATE VIEW message_text AS
  SELECT m.id, m.content, m.topic,
    iif(m.dm_id IS NULL, 'c' || m.channel_id,
      (SELECT 'd' || dm.id || ' u' || replace(dm.key, ',', ' u') FROM dm WHERE dm.id = m.dm_id)) AS place
  FROM message AS m;
CREATE VIRTUAL TABLE message_fts USING fts5 (
  content, topic, place, content='message_text', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);
-- New messages are indexed in batches (see deferred-message-work.ts); the last message id that is indexed.
CREATE TABLE search_progress (id INTEGER PRIMARY KEY CHECK (id = 1), through INTEGER NOT NULL);
INSERT INTO search_progress VALUES (1, 0);
CREATE TRIGGER message_fts_delete BEFORE DELETE ON message
  WHEN old.id <= (SELECT through FROM search_progress) BEGIN
  INSERT INTO message_fts (message_fts, rowid, content, topic, place)
    SELECT 'delete', * FROM message_text WHERE id = old.id;
END;
CREATE TRIGGER message_fts_unindex BEFORE UPDATE OF content, topic, channel_id ON message
  WHEN old.id <= (SELECT through FROM search_progress) BEGIN
  INSERT INTO message_fts (message_fts, rowid, content, topic, place)
    SELECT 'delete', * FROM message_text WHERE id = old.id;
END;
CREATE TRIGGER message_fts_reindex AFTER UPDATE OF content, topic, channel_id ON message
  WHEN old.id <= (SELECT through FROM search_progress) BEGIN
  INSERT INTO message_fts (rowid, content, topic, place) SELECT * FROM message_text WHERE id = new.id;
END;

-- Sparse: a row exists only where a user's state differs from "received and read".
-- flags: 1 unread, 2 starred, 4 collapsed, 8 mentioned, 16 channel wildcard, 32 topic wildcard, 64 alert word,
--        128 mentioned by name (as opposed to through a group), 256 historical
CREATE TABLE user_message (
  user_id INTEGER NOT NULL, message_id INTEGER NOT NULL, flags INTEGER NOT NULL, PRIMARY KEY (user_id, message_id)
) WITHOUT ROWID;
CREATE INDEX user_message_by_message ON user_message (message_id);
CREATE INDEX user_message_starred ON user_message (user_id, message_id) WHERE flags & 2;
-- Mentions of any kind and alert words.
CREATE INDEX user_message_noticed ON user_message (user_id, message_id) WHERE flags & 248;

-- Messages whose unread rows for the subscribers are still to be written (see deferred-message-work.ts), with the
-- flags of those rows and, as a JSON list, the users who need no row.
CREATE TABLE arrival (
  message_id INTEGER PRIMARY KEY, channel_id INTEGER NOT NULL, flags INTEGER NOT NULL, settled TEXT NOT NULL
);

-- Direct mentions, also of users who did not receive the message (for the \`mentions\` operator).
CREATE TABLE message_mention (
  user_id INTEGER NOT NULL, message_id INTEGER NOT NULL, PRIMARY KEY (user_id, message_id)
) WITHOUT ROWID;
CREATE INDEX message_mention_by_message ON message_mention (message_id);

CREATE TABLE reaction (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL, user_id INTEGER NOT NULL,
  emoji_name TEXT NOT NULL, emoji_code TEXT NOT NULL, reaction_type TEXT NOT NULL,
  UNIQUE (message_id, user_id, reaction_type, emoji_code)
);

CREATE TABLE submessage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL, sender_id INTEGER NOT NULL, msg_type TEXT NOT NULL, content TEXT NOT NULL
);
CREATE INDEX submessage_by_message ON submessage (message_id, id);

CREATE TABLE user_topic (
  user_id INTEGER NOT NULL, channel_id INTEGER NOT NULL, topic_key TEXT NOT NULL, topic_name TEXT NOT NULL,
  policy INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (user_id, channel_id, topic_key)
) WITHOUT ROWID;
CREATE INDEX user_topic_by_topic ON user_topic (channel_id, topic_key);

CREATE TABLE draft (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL, type TEXT NOT NULL, recipients TEXT NOT NULL, topic TEXT NOT NULL, content TEXT NOT NULL,
  edited_at INTEGER NOT NULL
);
CREATE INDEX draft_by_user ON draft (user_id, edited_at);

CREATE TABLE saved_snippet (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL, created_at INTEGER NOT NULL
);
CREATE INDEX saved_snippet_by_user ON saved_snippet (user_id);

-- Scheduled messages and, where target_message_id is set, reminders.
CREATE TABLE scheduled_message (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL, type TEXT NOT NULL, recipients TEXT NOT NULL, topic TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL, deliver_at INTEGER NOT NULL, failed INTEGER NOT NULL DEFAULT 0,
  read_by_sender INTEGER NOT NULL DEFAULT 1, client TEXT NOT NULL DEFAULT '',
  target_message_id INTEGER, note TEXT NOT NULL DEFAULT ''
);
CREATE INDEX scheduled_message_due ON scheduled_message (deliver_at) WHERE failed = 0;
CREATE INDEX scheduled_message_by_user ON scheduled_message (user_id, deliver_at);

-- Listed by rowid, in the order in which they were added.
CREATE TABLE navigation_view (
  user_id INTEGER NOT NULL, fragment TEXT NOT NULL, is_pinned INTEGER NOT NULL, name TEXT,
  PRIMARY KEY (user_id, fragment)
);

CREATE TABLE linkifier (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pattern TEXT NOT NULL UNIQUE, url_template TEXT NOT NULL, example_input TEXT, reverse_template TEXT,
  alternative_url_templates TEXT NOT NULL DEFAULT '[]', sort_order INTEGER NOT NULL
);

CREATE TABLE realm_domain (
  id INTEGER PRIMARY KEY AUTOINCREMENT, domain TEXT NOT NULL UNIQUE, allow_subdomains INTEGER NOT NULL
);

CREATE TABLE realm_emoji (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL, author_id INTEGER, file TEXT NOT NULL, deactivated INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE attachment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL, name TEXT NOT NULL, path_id TEXT NOT NULL UNIQUE, size INTEGER NOT NULL,
  content_type TEXT NOT NULL, created_at INTEGER NOT NULL,
  -- Set for images whose size is known.
  width INTEGER, height INTEGER
);
CREATE INDEX attachment_by_owner ON attachment (owner_id);
CREATE TABLE attachment_message (
  attachment_id INTEGER NOT NULL, message_id INTEGER NOT NULL, PRIMARY KEY (attachment_id, message_id)
) WITHOUT ROWID;
CREATE INDEX attachment_message_by_message ON attachment_message (message_id);

CREATE TABLE invite (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invited_by INTEGER NOT NULL, email TEXT, invited_as INTEGER NOT NULL, created_at INTEGER NOT NULL,
  expires_at INTEGER, link_key TEXT NOT NULL UNIQUE, channel_ids TEXT NOT NULL DEFAULT '[]',
  group_ids TEXT NOT NULL DEFAULT '[]', include_default_channels INTEGER NOT NULL DEFAULT 0,
  notify_referrer INTEGER NOT NULL DEFAULT 1
);

CREATE TABLE report (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL, reporter_id INTEGER NOT NULL, report_type TEXT NOT NULL, description TEXT NOT NULL,
  reported_at INTEGER NOT NULL
);
`;
