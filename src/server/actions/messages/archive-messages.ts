import {deleteAttachment} from '#server/actions/uploads/attachments.ts';
import type {ActionContext} from '#server/context.ts';
import {findAttachment} from '#server/db/organization-items.ts';
import type {ChannelRow, MessageRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {deleteMessages} from './delete-messages.ts';

const daySeconds = 86_400;
/** The time that messages stay in the archive, as on Zulip's servers. */
const archiveDays = 30;
/** The messages that one action archives or purges: others wait meanwhile. */
const messagesPerAction = 500;

/** The tables with rows of a message, which come back with it. The message itself is the first. */
const messageTables = {
  message: 'id',
  user_message: 'message_id',
  message_mention: 'message_id',
  reaction: 'message_id',
  submessage: 'message_id',
  message_html: 'message_id',
};

type Row = Record<string, string | number | null>;

const oldestOfChannel = 'SELECT * FROM message WHERE channel_id = ?1 ORDER BY id LIMIT ?3';
/** Only the oldest message of each conversation is read, except where it is too old. */
const oldDirectMessages = `SELECT m.* FROM dm CROSS JOIN message AS m ON m.dm_id = dm.id
  WHERE (SELECT sent_at FROM message WHERE dm_id = dm.id ORDER BY id LIMIT 1) < ?2 AND m.sent_at < ?2 LIMIT ?3`;

/** Moves some of the messages that are older than their conversation keeps them into the archive. Returns how many. */
export function archiveExpired(act: ActionContext): number {
  const {message_retention_days: general} = organization(act);
  const channels = act.db.all<Pick<ChannelRow, 'id' | 'message_retention_days'>>(
    'SELECT id, message_retention_days FROM channel',
  );
  // Direct messages are kept as long as the organization says.
  const places = [
    ...channels.map(({id, message_retention_days: days}) => ({sql: oldestOfChannel, id, days: days ?? general})),
    {sql: oldDirectMessages, id: 0, days: general},
  ];
  let count = 0;
  for (const {sql, id, days} of places) {
    if (days < 0) continue;
    const keptSince = act.now - days * daySeconds;
    // Ids are in the order of time: what a channel still has after its oldest messages is newer.
    const oldest = act.db.all<MessageRow>(sql, id, keptSince, messagesPerAction);
    const expired = oldest.filter(({sent_at}) => sent_at < keptSince);
    for (const message of expired) archive(act, message);
    for (const group of Map.groupBy(expired, placeOf).values()) deleteMessages(act, group);
    count += expired.length;
    if (count >= messagesPerAction) break;
  }
  return count;
}

function placeOf({dm_id, topic}: MessageRow): string {
  return dm_id === null ? topic : `dm ${dm_id}`;
}

function archive({db, now}: ActionContext, {id}: MessageRow): void {
  const rows = Object.entries(messageTables).map(([table, column]) => [
    table,
    db.all<Row>(`SELECT * FROM ${table} WHERE ${column} = ?`, id),
  ]);
  db.insertRow('archived_message', {id, archived_at: now, rows: JSON.stringify(Object.fromEntries(rows))});
  db.run(
    'INSERT INTO archived_attachment SELECT attachment_id, message_id FROM attachment_message WHERE message_id = ?',
    id,
  );
}

/** Deletes some of the messages that have been in the archive for its time, with their files. Returns how many. */
export function purgeArchive(act: ActionContext): number {
  const {db, now} = act;
  const before = now - archiveDays * daySeconds;
  const sql = 'SELECT id FROM archived_message WHERE archived_at < ? ORDER BY archived_at LIMIT ?';
  const ids = db.pluck(sql, before, messagesPerAction);
  for (const id of ids) {
    db.deleteRows('archived_message', {id});
    const files = db.pluck('DELETE FROM archived_attachment WHERE message_id = ? RETURNING attachment_id', id);
    for (const file of files) deleteUnused(act, file);
  }
  if (ids.length > 0) act.afterCommit(() => act.server.deferredWork.emptyLogSoon());
  return ids.length;
}

function deleteUnused(act: ActionContext, attachmentId: number): void {
  const uses = ['attachment_message', 'archived_attachment'].some(
    (table) => act.db.get(`SELECT 1 FROM ${table} WHERE attachment_id = ?`, attachmentId) !== undefined,
  );
  const owner = uses ? undefined : findUser(act.db, findAttachment(act.db, attachmentId)?.owner_id ?? 0);
  if (owner !== undefined) deleteAttachment(act, owner, attachmentId);
}

/** Puts all messages of the archive back, without events. Returns how many. */
export function restoreArchive({db, server}: ActionContext): number {
  let count = 0;
  for (const {id, rows} of db.all<{id: number; rows: string}>('SELECT id, rows FROM archived_message')) {
    const stored: Record<string, readonly Row[]> = JSON.parse(rows);
    for (const table of Object.keys(messageTables)) for (const row of stored[table] ?? []) db.insertNewRow(table, row);
    // The search entry is still there if it was to be removed later.
    const isIndexed = db.deleteRows('search_outdated', {id}) > 0;
    if (!isIndexed) {
      const sql = `INSERT INTO message_fts (rowid, content, topic, place)
        SELECT * FROM message_text WHERE id = ? AND id <= (SELECT through FROM search_progress)`;
      db.run(sql, id);
    }
    count += 1;
  }
  // A file may have been deleted by its owner meanwhile.
  db.exec(`INSERT OR IGNORE INTO attachment_message SELECT attachment_id, message_id FROM archived_attachment
    WHERE attachment_id IN (SELECT id FROM attachment);
    DELETE FROM archived_attachment;
    DELETE FROM archived_message;
    UPDATE channel SET first_message_id = (SELECT MIN(id) FROM message WHERE channel_id = channel.id)`);
  server.derivedFacts.invalidateAll();
  return count;
}
