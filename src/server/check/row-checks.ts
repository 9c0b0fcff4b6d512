/** A rule about rows that the server relies on. */
export interface RowCheck {
  /** Selects the ids of the rows that break the rule. */
  readonly sql: string;
  /** The sentence about these rows; `#` stands for their number. */
  readonly problem: string;
  /** The version of the schema that the query needs. */
  readonly since?: number;
}

/** The columns that refer to a row of another table, by table. The schema has no foreign keys, because they cost time. */
const references: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  alert_word: {user_id: 'user'},
  attachment: {owner_id: 'user'},
  attachment_message: {attachment_id: 'attachment', message_id: 'message'},
  bot: {user_id: 'user'},
  channel: {folder_id: 'channel_folder'},
  dm_member: {dm_id: 'dm', user_id: 'user'},
  draft: {user_id: 'user'},
  group_member: {group_id: 'user_group', user_id: 'user'},
  group_subgroup: {group_id: 'user_group', subgroup_id: 'user_group'},
  message: {sender_id: 'user', channel_id: 'channel', dm_id: 'dm'},
  message_mention: {message_id: 'message', user_id: 'user'},
  muted_user: {user_id: 'user', muted_id: 'user'},
  navigation_view: {user_id: 'user'},
  presence: {user_id: 'user'},
  profile_value: {user_id: 'user', field_id: 'profile_field'},
  reaction: {message_id: 'message', user_id: 'user'},
  saved_snippet: {user_id: 'user'},
  scheduled_message: {user_id: 'user'},
  submessage: {message_id: 'message', sender_id: 'user'},
  subscription: {user_id: 'user', channel_id: 'channel'},
  subscription_period: {user_id: 'user', channel_id: 'channel'},
  user: {bot_owner_id: 'user'},
  user_message: {message_id: 'message', user_id: 'user'},
  user_status: {user_id: 'user'},
  user_topic: {user_id: 'user', channel_id: 'channel'},
};

/** Those of tables that came with the fifth version of the schema. */
const laterReferences: typeof references = {
  bot_storage: {user_id: 'user'},
  client_device: {user_id: 'user'},
  default_channel_group_channel: {group_id: 'default_channel_group', channel_id: 'channel'},
  onboarding_step: {user_id: 'user'},
  push_token: {user_id: 'user'},
};

const jsonColumns: Readonly<Record<string, string>> = {
  channel: 'permissions',
  realm_setting: 'value',
  user: 'settings',
  user_group: 'permissions',
};

const otherChecks: readonly RowCheck[] = [
  {
    sql: 'SELECT id FROM message WHERE (channel_id IS NULL) = (dm_id IS NULL)',
    problem: '# messages are in no conversation, or in two.',
  },
  {
    sql: `SELECT id FROM channel WHERE subscriber_count != (
            SELECT count(*) FROM subscription AS s JOIN user AS u ON u.id = s.user_id
            WHERE s.channel_id = channel.id AND s.active = 1 AND u.is_active = 1)`,
    problem: 'The number of subscribers is wrong for # channels.',
  },
  {
    sql: 'SELECT id FROM dm WHERE size != (SELECT count(*) FROM dm_member WHERE dm_id = dm.id)',
    problem: 'The number of people is wrong for # direct conversations.',
  },
  {
    sql: `SELECT through AS id FROM search_progress
          WHERE through > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'message'), 0)`,
    problem: 'The search index claims to have messages that do not exist yet.',
  },
  {
    sql: `SELECT 1 AS id WHERE (SELECT count(*) FROM search_progress) != 1
            OR (SELECT count(*) FROM meta WHERE key IN ('created_at', 'uuid')) != 2
            OR (SELECT count(*) FROM user_group WHERE is_system = 1) < 8
            OR (SELECT count(*) FROM user WHERE is_system_bot = 1) < 3`,
    problem: 'Rows that every organization has are missing.',
  },
  {
    sql: `SELECT 1 AS id WHERE EXISTS (SELECT 1 FROM user WHERE is_bot = 0)
            AND NOT EXISTS (SELECT 1 FROM user WHERE is_bot = 0 AND is_active = 1 AND role = 100)`,
    problem: 'The organization has no active owner.',
  },
  {
    sql: 'SELECT message_id AS id FROM message_html WHERE message_id NOT IN (SELECT id FROM message)',
    problem: '# rows of “message_html” refer to a row of “message” that does not exist.',
    since: 3,
  },
];

function referenceChecks(all: typeof references, since: number): RowCheck[] {
  return Object.entries(all).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, target]) => ({
      sql: `SELECT ${column} AS id FROM ${table} WHERE ${column} IS NOT NULL AND ${column} NOT IN (SELECT id FROM "${target}")`,
      problem: `# rows of “${table}” refer to a row of “${target}” that does not exist.`,
      since,
    })),
  );
}

/** Returns all rules about rows. */
export function rowChecks(): readonly RowCheck[] {
  const json = Object.entries(jsonColumns).map(([table, column]) => ({
    sql: `SELECT 1 AS id FROM "${table}" WHERE NOT json_valid(${column})`,
    problem: `“${column}” is not readable in # rows of “${table}”.`,
  }));
  return [...referenceChecks(references, 1), ...referenceChecks(laterReferences, 5), ...json, ...otherChecks];
}
