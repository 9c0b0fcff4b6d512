/** Names of groups are unique by exact case, no longer ignoring case. SQLite cannot change a constraint of a table. */
export const groupNames = /* sql */ `
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
