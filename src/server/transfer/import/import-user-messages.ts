import {Flag} from '#server/db/rows.ts';
import type {ImportContext} from './import-context.ts';
import type {JsonTables} from './json-tables.ts';

/** The bits of Zulip's flags, and ours for them. */
const flagBits: readonly (readonly [number, number])[] = [
  [2, Flag.starred],
  [4, Flag.collapsed],
  [8, Flag.mentioned],
  [16, Flag.channelWildcard],
  [32, Flag.topicWildcard],
  [64, Flag.mentioned],
  [512, Flag.alertWord],
  [1024, Flag.historical],
];
const zulipRead = 1;
/** An export has many times more of these rows than of all others. */
const rowsPerInsert = 100;

function newFlags(mask: number): number {
  let flags = mask & zulipRead ? 0 : Flag.unread;
  for (const [zulip, ours] of flagBits) if (mask & zulip) flags |= ours;
  return flags;
}

const tables = `
CREATE TABLE IF NOT EXISTS work.received (
  row INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, message INTEGER NOT NULL, flags INTEGER NOT NULL
);
-- Messages of a channel that a user received without a gap; seq counts the messages of the channel.
CREATE TABLE IF NOT EXISTS work.run (
  user_id INTEGER, channel_id INTEGER, first_seq INTEGER, last_seq INTEGER, first_id INTEGER, last_id INTEGER
);
DELETE FROM work.received;
`;

/**
 * Imports who received the messages of one file, with their flags. Zulip has a row for every person and message; here,
 * a period of the subscription says which messages somebody received, and only what differs from "read" has a row.
 */
export function importUserMessages(context: ImportContext, file: JsonTables): void {
  const {db, users, report} = context;
  db.exec(tables);
  let values: number[] = [];
  const insert = () => {
    const count = values.length / 3;
    const places = Array.from({length: count}, () => '(?, ?, ?)').join(', ');
    if (count > 0) db.run(`INSERT INTO work.received (user_id, message, flags) VALUES ${places}`, ...values);
    report.count('usermessage', count);
    values = [];
  };
  for (const row of file.rows('zerver_usermessage')) {
    values.push(users.of(row, 'user_profile'), row.number('message'), newFlags(row.number('flags_mask')));
    if (values.length === 3 * rowsPerInsert) insert();
  }
  insert();
  const unknown = db.get<{row: number; message: number}>(
    `SELECT row, message FROM work.received AS r
     WHERE NOT EXISTS (SELECT 1 FROM work.message WHERE old = r.message) LIMIT 1`,
  );
  if (unknown !== undefined) {
    for (const row of file.rows('zerver_usermessage')) {
      if (row.place.row === unknown.row) row.fail(`“message” names ${unknown.message}, which is not in the export.`);
    }
  }
  writeFlags(context);
  addRuns(context);
}

/** Writes the flags and mentions. Only subscribed channels have unread messages. */
function writeFlags({db}: ImportContext): void {
  db.exec(`
    UPDATE work.received SET flags = flags | ${Flag.mentionedByName} WHERE flags & ${Flag.mentioned} AND EXISTS (
      SELECT 1 FROM work.named AS n WHERE n.message = received.message AND n.user_id = received.user_id
    );
    INSERT OR IGNORE INTO message_mention (user_id, message_id)
      SELECT r.user_id, m.new FROM work.received AS r CROSS JOIN work.message AS m ON m.old = r.message
      WHERE r.flags & ${Flag.mentionedByName};
    UPDATE work.received SET flags = flags & ~${Flag.unread} WHERE flags & ${Flag.unread} AND EXISTS (
      SELECT 1 FROM work.message AS m WHERE m.old = received.message AND m.channel_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM subscription AS s
        WHERE s.user_id = received.user_id AND s.channel_id = m.channel_id AND s.active <> 0
      )
    );
    INSERT OR IGNORE INTO user_message (user_id, message_id, flags)
      SELECT r.user_id, m.new, r.flags FROM work.received AS r CROSS JOIN work.message AS m ON m.old = r.message
      WHERE r.flags <> 0;
    DELETE FROM work.named;
  `);
}

/** Finds the messages of one file that each user received in each channel without a gap. */
function addRuns({db}: ImportContext): void {
  db.exec(`
    INSERT INTO work.run
      SELECT user_id, channel_id, MIN(seq), MAX(seq), MIN(new), MAX(new) FROM (
        SELECT r.user_id, m.channel_id, m.seq, m.new,
          m.seq - DENSE_RANK() OVER (PARTITION BY r.user_id, m.channel_id ORDER BY m.seq) AS island
        FROM work.received AS r CROSS JOIN work.message AS m ON m.old = r.message
        WHERE m.channel_id IS NOT NULL AND NOT r.flags & ${Flag.historical}
      ) GROUP BY user_id, channel_id, island;
  `);
}

/**
 * Joins what users received without a gap in one file with what they received in the files before and after it. Once at
 * the end: while the files are read, each change would be on another page of a table of all subscriptions.
 */
const joinRuns = `
CREATE TABLE work.period (
  user_id INTEGER, channel_id INTEGER, first_id INTEGER, last_id INTEGER, PRIMARY KEY (user_id, channel_id, first_id)
) WITHOUT ROWID;
INSERT INTO work.period
  SELECT user_id, channel_id, MIN(first_id), MAX(last_id) FROM (
    SELECT *, SUM(is_start) OVER (PARTITION BY user_id, channel_id ORDER BY first_seq) AS period FROM (
      SELECT *, first_seq <> 1 + LAG(last_seq, 1, -1) OVER (PARTITION BY user_id, channel_id ORDER BY first_seq) AS is_start
      FROM work.run
    )
  ) GROUP BY user_id, channel_id, period;
CREATE TABLE work.latest (channel_id INTEGER PRIMARY KEY, id INTEGER NOT NULL);
INSERT INTO work.latest
  SELECT channel_id, MAX(new) FROM work.message WHERE channel_id IS NOT NULL GROUP BY channel_id;
`;

/**
 * Writes the periods of the subscriptions. A period without an end belongs to a subscription that goes on. Zulip stores
 * nothing for people who are away for weeks: what they missed is received, and unread.
 */
export function writePeriods(context: ImportContext, nextId: number): void {
  const {db, realm, users} = context;
  db.exec(tables);
  db.exec(joinRuns);
  db.run('UPDATE subscription SET unread_since = ?', nextId);
  for (const row of realm.rows('zerver_userprofile')) {
    const lastActive = row.flag('long_term_idle') ? row.optionalNumber('last_active_message_id') : undefined;
    if (lastActive !== undefined) resumePeriods(context, users.of(row, 'id'), lastActive);
  }
  db.exec(`
    INSERT INTO subscription_period (user_id, channel_id, since_id, until_id)
      SELECT p.user_id, p.channel_id, p.first_id, iif(s.active = 1 AND p.last_id = latest.id, NULL, p.last_id + 1)
      FROM work.period AS p LEFT JOIN work.latest AS latest ON latest.channel_id = p.channel_id
      LEFT JOIN subscription AS s ON s.user_id = p.user_id AND s.channel_id = p.channel_id;
    INSERT OR IGNORE INTO subscription_period (user_id, channel_id, since_id)
      SELECT s.user_id, s.channel_id, s.unread_since FROM subscription AS s
      WHERE s.active = 1 AND NOT EXISTS (
        SELECT 1 FROM subscription_period AS p
        WHERE p.user_id = s.user_id AND p.channel_id = s.channel_id AND p.until_id IS NULL
      );
  `);
}

/** Makes what the user's channels received since a message of the export unread for the user. */
function resumePeriods({db}: ImportContext, userId: number, lastActive: number): void {
  const since = db.value<number | null>('SELECT MIN(new) FROM work.message WHERE old > ?', lastActive) ?? undefined;
  if (since === undefined) return;
  db.run('DELETE FROM work.period WHERE user_id = ? AND first_id >= ?', userId, since);
  db.run('UPDATE work.period SET last_id = ?2 - 1 WHERE user_id = ?1 AND last_id >= ?2', userId, since);
  db.run('UPDATE subscription SET unread_since = ? WHERE user_id = ? AND active = 1', since, userId);
}
