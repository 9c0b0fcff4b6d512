import type {Database} from '#server/db/database.ts';

/** A number of things, in words. */
export interface ReportLine {
  readonly text: string;
  readonly count: number;
}

/** What is counted, in the singular. */
const countsOf: Readonly<Record<string, string>> = {
  user: 'SELECT COUNT(*) FROM user WHERE is_system_bot = 0',
  channel: 'SELECT COUNT(*) FROM channel',
  message: 'SELECT COUNT(*) FROM message',
  'private message': `SELECT COUNT(*) FROM message AS m LEFT JOIN channel AS c ON c.id = m.channel_id
    WHERE m.dm_id IS NOT NULL OR c.invite_only = 1`,
};

/** What the format cannot carry, or no server takes over. */
const leftOut: Readonly<Record<string, string>> = {
  'passwords: people set new ones': 'SELECT COUNT(*) FROM user WHERE password_hash IS NOT NULL',
  'API keys: people and bots get new ones': 'SELECT COUNT(*) FROM user WHERE is_system_bot = 0',
  drafts: 'SELECT COUNT(*) FROM draft',
  invitations: 'SELECT COUNT(*) FROM invite',
  'reports of messages': 'SELECT COUNT(*) FROM report',
  'groups of default channels': 'SELECT COUNT(*) FROM default_channel_group',
  'devices of mobile apps': 'SELECT COUNT(*) FROM push_token',
  'uploaded files that no message links to': `SELECT COUNT(*) FROM attachment AS a
    WHERE NOT EXISTS (SELECT 1 FROM attachment_message WHERE attachment_id = a.id)`,
};

/** What is exported with ids that Zulip's importer does not change. */
const oldIds: Readonly<Record<string, string>> = {
  'reminders: their text and time are kept, the link to the message is not':
    'SELECT COUNT(*) FROM scheduled_message WHERE target_message_id IS NOT NULL',
  'views in sidebars that name channels or people: remove them there': `SELECT COUNT(*) FROM navigation_view WHERE fragment GLOB 'narrow/*/[0-9]*'`,
  'votes for options that somebody added to a poll': `SELECT COUNT(*) FROM submessage WHERE content GLOB '*"key":*"[0-9]*,*' AND content LIKE '%"vote"%'`,
  'moves between channels in the history of messages': `SELECT COUNT(*) FROM message WHERE edit_history LIKE '%"prev_stream"%'`,
};

function lines(db: Database, table: Readonly<Record<string, string>>): ReportLine[] {
  return Object.entries(table).map(([text, sql]) => ({text, count: db.value(sql) ?? 0}));
}

/** Counts what an organization has, and which of it is private. */
export function organizationCounts(db: Database): ReportLine[] {
  return lines(db, countsOf);
}

/** Counts what an export does not carry. */
export function leftOutCounts(db: Database): ReportLine[] {
  return lines(db, leftOut).filter(({count}) => count > 0);
}

/** Counts what an export carries, but a Zulip server imports with ids that mean nothing there. */
export function oldIdCounts(db: Database): ReportLine[] {
  return lines(db, oldIds).filter(({count}) => count > 0);
}

/** Returns about how many rows say who received which channel message. */
export function receivedEstimate(db: Database): number {
  const sql = `SELECT COALESCE(SUM(messages * people), 0) FROM (
    SELECT (SELECT COUNT(*) FROM message WHERE channel_id = c.id) AS messages,
      (SELECT COUNT(*) FROM subscription_period WHERE channel_id = c.id) AS people
    FROM channel AS c)`;
  return db.value(sql) ?? 0;
}
