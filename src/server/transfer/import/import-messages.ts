import type {ParseContext} from '#content/parse-context.ts';
import {parseMessage} from '#content/parse-message.ts';
import {maxContentLength, maxTopicLength, truncateText} from '#server/actions/inputs.ts';
import {Flag, fold, Trait} from '#server/db/rows.ts';
import {collectReferences} from '#server/markdown/links.ts';
import {htmlMentions, importedHtml, type NewIds, rewriteText} from '#server/transfer/references.ts';
import type {StoredEdit} from '#server/views/message-details.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import {isResolution} from '#wire/objects/channel.ts';
import {allowedName, clientName, type ImportContext, type Row} from './import-context.ts';
import {conversationOf, directConversationId} from './import-people.ts';
import type {JsonTables} from './json-tables.ts';

/** A text that is longer is no message. A message above the limit of this server is cut, as if it was sent here. */
const maxImportedLength = 1_000_000;
/** The type of notices that a topic was marked as resolved or unresolved. */
const resolutionNotice = 2;

/** Other programs allow longer topics, but not this long ones. */
const maxTopicText = 10_000;

/** Returns a topic as stored. Before Zulip 10, messages without a topic have a name for that. */
function storedTopic(topic: string): string {
  const name = truncateText(allowedName(topic), maxTopicLength, '...');
  return name === '(no topic)' ? '' : name;
}

/** Returns the topic in a column of a row as stored, and counts one that is cut. */
export function topicOf({report}: ImportContext, row: Row, key: string): string {
  const topic = row.optionalText(key, maxTopicText) ?? '';
  const isCut = Array.from(topic.trim()).length > maxTopicLength;
  report.leaveOut(`ends of topics that have more than ${maxTopicLength} characters`, isCut ? 1 : 0);
  return storedTopic(topic);
}

/** Imports messages file by file, with the flags of everybody who received them. */
export function messageImporter(context: ImportContext, ids: NewIds) {
  const {db, users, channels, report} = context;
  /** The number of messages by channel. */
  const counts = new Map<number, number>();
  /** Whether later messages decide about the last rewritten text: it links to one, or to a host that may be our own. */
  let dependsOnLater = false;
  const known = <T>(value: T | undefined): T | undefined => {
    if (value === undefined) dependsOnLater = true;
    return value;
  };
  const knownIds: NewIds = {
    ...ids,
    message: (id) => known(ids.message(id)),
    isOwnHost: (host, html) => known(ids.isOwnHost(host, html) || undefined) ?? false,
  };
  db.exec(`
    CREATE TABLE work.message (old INTEGER PRIMARY KEY, new INTEGER NOT NULL, channel_id INTEGER, seq INTEGER);
    CREATE TABLE work.later (id INTEGER PRIMARY KEY, content TEXT NOT NULL, html TEXT, edits TEXT);
    CREATE TABLE work.named (message INTEGER, user_id INTEGER, PRIMARY KEY (message, user_id)) WITHOUT ROWID;
  `);

  /** Keeps the HTML that a message had, as if it was sent here, unless its text is cut. */
  function keepHtml(id: number, text: string, html: string | undefined): void {
    const kept = html === undefined || text.length > maxContentLength ? undefined : importedHtml(html, knownIds);
    if (kept !== undefined) db.replaceRow('message_html', {message_id: id, html: kept});
  }

  function insert(row: Row): void {
    const old = row.number('id');
    const sender = users.of(row, 'sender');
    const {channelId, members} = conversationOf(context, row, sender);
    const original = row.text('content', maxImportedLength);
    const html = row.optionalText('rendered_content', Number.POSITIVE_INFINITY);
    dependsOnLater = false;
    const whole = rewriteText(original, knownIds, html);
    const content = cut(whole);
    const isCut = content !== whole;
    report.leaveOut(`ends of messages that have more than ${maxContentLength} characters`, isCut ? 1 : 0);
    const topic = channelId === undefined ? '' : topicOf(context, row, 'subject');
    const oldEdits = row.optionalText('edit_history', Number.POSITIVE_INFINITY);
    const list = parsedJson(oldEdits ?? '[]');
    if (!Array.isArray(list)) row.fail('“edit_history” is not a list in JSON.');
    const edits = list.flatMap(storedEdit);
    const id = db.insertRow('message', {
      sender_id: sender,
      channel_id: channelId ?? null,
      dm_id: channelId === undefined ? directConversationId(context, members) : null,
      topic,
      topic_key: fold(topic),
      content,
      sent_at: row.time('date_sent'),
      client: clientName(context, row),
      traits: traitsOf(row, old, content, html),
      unread_by_default: channelId === undefined ? 0 : 1,
      edit_history: edits.length === 0 ? null : JSON.stringify(edits),
      last_edit_at: list.length === 0 ? (row.optionalTime('last_edit_time') ?? null) : newest(edits, hasOldContent),
      last_moved_at: movedAt(list),
    });
    keepHtml(id, original, html);
    if (dependsOnLater)
      db.insertRow('work.later', {id, content: original, html: html ?? null, edits: oldEdits ?? null});
    const seq = (counts.get(channelId ?? 0) ?? 0) + 1;
    counts.set(channelId ?? 0, seq);
    const sql = 'INSERT OR IGNORE INTO work.message (old, new, channel_id, seq) VALUES (?, ?, ?, ?)';
    if (db.run(sql, old, id, channelId ?? null, seq) === 0) row.fail(`the id ${old} is there twice.`);
  }

  const cut = (content: string) => truncateText(content, maxContentLength, '\n[message truncated]');

  /** Returns what the message contains, and stores whom it mentions by name. The HTML knows who had the name then. */
  function traitsOf(row: Row, old: number, content: string, html: string | undefined): number {
    const traits =
      (row.bit('has_link') * Trait.link) |
      (row.bit('has_image') * Trait.image) |
      (row.bit('has_attachment') * Trait.attachment) |
      (content.startsWith('/me ') ? Trait.me : 0) |
      (row.optionalNumber('type') === resolutionNotice ? Trait.resolutionNotice : 0);
    if (!content.includes('@*')) return traits;
    const mentions = html === undefined ? collectReferences(parseMessage(content, names)).mentions : htmlMentions(html);
    for (const id of mentions.userIds) {
      const user = html === undefined ? id : users.get(id);
      if (user !== undefined) db.run('INSERT OR IGNORE INTO work.named (message, user_id) VALUES (?, ?)', old, user);
    }
    return (
      traits |
      (mentions.channelWildcard ? Trait.channelWildcard : 0) |
      (mentions.topicWildcard ? Trait.topicWildcard : 0)
    );
  }

  const findUser = (condition: string, value: string | number) => {
    const sql = `SELECT id, full_name, is_active FROM user WHERE ${condition}`;
    const user = db.get<{id: number; full_name: string; is_active: number}>(sql, value);
    return user === undefined ? undefined : {id: user.id, fullName: user.full_name, isActive: user.is_active === 1};
  };
  const names: ParseContext = {
    userByName: (name) => findUser('name_key = ? ORDER BY is_active DESC, id DESC LIMIT 1', fold(name)),
    userById: (id) => findUser('id = ?', id),
  };

  /** Returns an edit as stored; none if it is not understood. */
  function storedEdit(edit: unknown): StoredEdit[] {
    if (!isRecord(edit) || typeof edit.timestamp !== 'number' || !(edit.timestamp >= 0)) return [];
    const texts = ['prev_topic', 'topic'].flatMap((key) => {
      const topic = edit[key];
      return typeof topic === 'string' ? [[key, storedTopic(topic)]] : [];
    });
    const streams = ['prev_stream', 'stream'].flatMap((key) => {
      const id = channels.get(Number(edit[key] ?? Number.NaN));
      return id === undefined ? [] : [[key, id]];
    });
    const before = typeof edit.prev_content === 'string' ? edit.prev_content.replaceAll('\0', '') : undefined;
    const html = typeof edit.prev_rendered_content === 'string' ? edit.prev_rendered_content : undefined;
    const kept = html === undefined ? undefined : importedHtml(html, knownIds);
    const stored = {
      timestamp: Math.floor(edit.timestamp),
      user_id: users.get(Number(edit.user_id ?? Number.NaN)) ?? null,
      ...(before === undefined ? {} : {prev_content: rewriteText(before, knownIds, html)}),
      ...(before === undefined || kept === undefined ? {} : {prev_rendered_content: kept}),
      ...Object.fromEntries([...texts, ...streams]),
    };
    // A move between channels that are not known says nothing.
    return Object.keys(stored).length > 2 ? [stored] : [];
  }

  return {
    importFile(tables: JsonTables): void {
      db.transaction(() => {
        for (const row of tables.rows('zerver_message')) {
          insert(row);
          report.count('message');
        }
        importUserMessages(context, tables);
      });
    },
    /** Rewrites the messages that depend on later ones. */
    finish(): void {
      for (let last = 0; ; ) {
        const select = 'SELECT * FROM work.later WHERE id > ? ORDER BY id LIMIT 1';
        const next = db.get<{id: number; content: string; html: string | null; edits: string | null}>(select, last);
        if (next === undefined) return;
        last = next.id;
        const content = cut(rewriteText(next.content, knownIds, next.html ?? undefined));
        const edits: StoredEdit[] = next.edits === null ? [] : JSON.parse(next.edits).flatMap(storedEdit);
        db.updateRow('message', next.id, {content, edit_history: edits.length === 0 ? null : JSON.stringify(edits)});
        keepHtml(next.id, next.content, next.html ?? undefined);
      }
    },
  };
}

/** Returns when a message was last moved, also from a channel that is not known. Resolving a topic is no move. */
function movedAt(edits: readonly unknown[]): number | null {
  const move = edits.filter(isRecord).find(({prev_stream, prev_topic, topic}) => {
    return prev_stream != null || (typeof prev_topic === 'string' && !isResolution(prev_topic, String(topic)));
  });
  return typeof move?.timestamp === 'number' ? Math.floor(move.timestamp) : null;
}

const hasOldContent = ({prev_content}: StoredEdit) => prev_content !== undefined;

function newest(edits: readonly StoredEdit[], matches: (edit: StoredEdit) => boolean): number | null {
  return edits.find(matches)?.timestamp ?? null;
}

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
function importUserMessages(context: ImportContext, file: JsonTables): void {
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
