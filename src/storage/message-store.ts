import {crc32} from 'node:zlib';
import type {MessageStore} from '#state/account-store.ts';
import type {Message} from '#state/model/message.ts';
import type {AccountFile} from './account-file.ts';
import type {Database, StoredRow} from './database.ts';
import {fullTextQuery, indexedText} from './full-text-query.ts';
import {messageFromRow} from './message-row.ts';

/** Other programs get a turn between two transactions. */
const batchSize = 1000;

export function createMessageStore(file: AccountFile, bound: number): MessageStore {
  /** Reads messages; rows that are none any more are forgotten. */
  const read = (
    query: (db: Database) => Iterable<StoredRow>,
    limit = Number.POSITIVE_INFINITY,
  ): Message[] => {
    const {found, spoilt} = file.tryRead('Reading messages', nothing, (db) => collect(query(db), limit));
    if (spoilt.length > 0) file.tryWrite('Forgetting messages', (db) => forget(db, spoilt));
    return found;
  };
  return {
    save(messages) {
      for (let start = 0; start < messages.length; start += batchSize) {
        const batch = messages.slice(start, start + batchSize);
        file.tryWrite('Saving messages', (db) => save(db, batch, bound));
      }
    },
    remove(ids) {
      if (ids.length > 0) file.tryWrite('Forgetting messages', (db) => forget(db, ids));
    },
    ofConversation: (key, limit, before = Number.MAX_SAFE_INTEGER) =>
      read((db) => db.each(ofConversation, key, before, limit)).reverse(),
    newest: (limit) => read((db) => db.each(newest, limit)).reverse(),
    byIds: (ids) => (ids.length === 0 ? [] : read((db) => db.each(byIds, JSON.stringify(ids)))),
    search(query, limit) {
      const {expression, literals} = fullTextQuery(query);
      if (expression === undefined && literals.length === 0) return [];
      const rows = (db: Database) =>
        expression === undefined ? db.each(holdingOne, escaped(literals[0])) : db.each(matching, expression);
      return read((db) => holding(rows(db), literals), limit);
    },
  };
}

const nothing = {found: [], spoilt: []};

const ofConversation =
  'SELECT id, body FROM message WHERE conversation = ? AND id < ? ORDER BY id DESC LIMIT ?';
const newest = 'SELECT id, body FROM message ORDER BY id DESC LIMIT ?';
/** Finds too many: the names of the fields are searched too. */
const holdingOne = 'SELECT id, body FROM message WHERE instr(body, ?) > 0 ORDER BY id DESC';
const byIds = 'SELECT id, body FROM message WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id';
const matching = `
  SELECT message.id, message.body FROM message_text JOIN message ON message.id = message_text.rowid
  WHERE message_text MATCH ? ORDER BY message_text.rowid DESC`;

function collect(rows: Iterable<StoredRow>, limit: number): {found: Message[]; spoilt: number[]} {
  const found: Message[] = [];
  const spoilt: number[] = [];
  if (limit <= 0) return {found, spoilt};
  for (const row of rows) {
    const message = messageFromRow(row);
    if (message === undefined) spoilt.push(Number(row.id));
    else if (found.push(message) >= limit) break;
  }
  return {found, spoilt};
}

/** As it stands in JSON text. */
function escaped(literal = ''): string {
  return JSON.stringify(literal).slice(1, -1);
}

function* holding(rows: Iterable<StoredRow>, literals: readonly string[]): Iterable<StoredRow> {
  for (const row of rows) {
    const message = literals.length === 0 ? undefined : messageFromRow(row);
    if (message === undefined || literals.every((literal) => textOf(message).includes(literal))) yield row;
  }
}

function save(db: Database, messages: readonly Message[], bound: number): void {
  let added = 0;
  for (const message of messages) added += saveOne(db, message) ? 1 : 0;
  if (added === 0) return;
  db.run('UPDATE tally SET messages = messages + ?', added);
  const excess = db.number('SELECT messages FROM tally') - bound;
  if (excess > 0) {
    const oldest = db.all('SELECT id FROM message ORDER BY id LIMIT ?', excess);
    forget(
      db,
      oldest.map(({id}) => Number(id)),
    );
  }
}

/** True when it was not there before. Flags and reactions change often, the text seldom: then the index stays as it is. */
function saveOne(db: Database, message: Message): boolean {
  const body = JSON.stringify(message);
  const before = db.first('SELECT body, text_checksum FROM message WHERE id = ?', message.id);
  if (before?.body === body) return false;
  const checksum = crc32(textOf(message));
  db.run(
    `INSERT INTO message (id, conversation, text_checksum, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET conversation = excluded.conversation,
       text_checksum = excluded.text_checksum, body = excluded.body`,
    message.id,
    message.conversationKey,
    checksum,
    body,
  );
  if (before === undefined) db.run('DELETE FROM stale_text WHERE id = ?', message.id);
  if (before?.text_checksum !== checksum) {
    db.run(
      'INSERT OR REPLACE INTO message_text (rowid, content, topic, sender) VALUES (?, ?, ?, ?)',
      message.id,
      indexedText(message.content),
      indexedText(topicOf(message)),
      indexedText(message.senderName),
    );
  }
  return before === undefined;
}

function forget(db: Database, ids: readonly number[]): void {
  const list = JSON.stringify(ids);
  db.run(
    `INSERT OR IGNORE INTO stale_text SELECT id FROM message WHERE id IN (SELECT value FROM json_each(?))`,
    list,
  );
  const count = db.run('DELETE FROM message WHERE id IN (SELECT value FROM json_each(?))', list);
  db.run('UPDATE tally SET messages = messages - ?', count);
  sweepIndex(db);
}

/** How many are taken from the index at a time, and how many may wait. */
const sweepSize = 100;
const mostStale = 10_000;

/**
 * Taking a message from the index costs several times what adding one does, so a large batch leaves most of it to later
 * ones. Until then a search passes over what is gone.
 */
function sweepIndex(db: Database): void {
  const waiting = db.number('SELECT count(*) FROM stale_text');
  const ids = db.all(
    'SELECT id FROM stale_text ORDER BY id LIMIT ?',
    Math.max(sweepSize, waiting - mostStale),
  );
  const list = JSON.stringify(ids.map(({id}) => id));
  db.run('DELETE FROM message_text WHERE rowid IN (SELECT value FROM json_each(?))', list);
  db.run('DELETE FROM stale_text WHERE id IN (SELECT value FROM json_each(?))', list);
}

function topicOf(message: Message): string {
  return message.kind === 'channel' ? message.topic : '';
}

function textOf(message: Message): string {
  return `${message.content}\n${topicOf(message)}\n${message.senderName}`;
}
