import {crc32} from 'node:zlib';
import type {MessageStore} from '#state/account-store.ts';
import type {Message} from '#state/model/message.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import type {AccountFile} from './account-file.ts';
import type {Database, StoredRow} from './database.ts';
import {isNumber, isNumberArray, isString} from './stored-rows.ts';

/** Other processes get a turn between two transactions. */
const batchSize = 1000;

/** The store of saved messages and their search index; at most `maxMessages` are kept. */
export function createMessageStore(file: AccountFile, maxMessages: number): MessageStore {
  /** Reads messages, and deletes rows that are no longer valid. */
  const read = (query: (db: Database) => Iterable<StoredRow>, limit = Number.POSITIVE_INFINITY): Message[] => {
    const {messages, invalidIds} = file.tryRead('Reading messages', noRows, (db) => collect(query(db), limit));
    if (invalidIds.length > 0) file.tryWrite('Removing messages', (db) => removeMessages(db, invalidIds));
    return messages;
  };
  return {
    save(messages) {
      let isSaved = true;
      for (let start = 0; start < messages.length; start += batchSize) {
        const batch = messages.slice(start, start + batchSize);
        isSaved = file.tryWrite('Saving messages', (db) => save(db, batch, maxMessages)) && isSaved;
      }
      return isSaved;
    },
    remove(ids) {
      if (ids.length > 0) file.tryWrite('Removing messages', (db) => removeMessages(db, ids));
    },
    channelIds: () =>
      file.tryRead('Reading messages', [], (db) => db.all(channelIdsQuery).map(({channel_id: id}) => Number(id))),
    removeChannel(channelId) {
      file.tryWrite('Removing messages', (db) => removeChannel(db, channelId));
    },
    ofConversation: (key, limit, before = Number.MAX_SAFE_INTEGER) =>
      read((db) => db.each(conversationQuery, key, before, limit)).reverse(),
    newest: (limit) => read((db) => db.each(newestQuery, limit)).reverse(),
    byIds: (ids) => (ids.length === 0 ? [] : read((db) => db.each(byIdsQuery, JSON.stringify(ids)))),
    search(query, limit) {
      const {expression, literals} = fullTextQuery(query);
      if (expression === undefined && literals.length === 0) return [];
      const rows = (db: Database) =>
        expression === undefined
          ? db.each(containingLiteral, jsonEscaped(literals[0]))
          : db.each(matchingWords, expression);
      return read((db) => withLiterals(rows(db), literals), limit);
    },
    externalWriteMark: () => file.tryWriteMark(),
  };
}

const noRows = {messages: [], invalidIds: []};

const conversationQuery = 'SELECT id, body FROM message WHERE conversation = ? AND id < ? ORDER BY id DESC LIMIT ?';
/** Keys are `c<channel>:<topic>` and `d<people>`. Skips from channel to channel in the index. */
const channelIdsQuery = `
  WITH RECURSIVE channel (key) AS (
    SELECT MIN(conversation) FROM message WHERE conversation >= 'c' AND conversation < 'd'
    UNION ALL
    SELECT (SELECT MIN(conversation) FROM message
      WHERE conversation >= substr(key, 1, instr(key, ':') - 1) || ';' AND conversation < 'd')
    FROM channel WHERE key IS NOT NULL
  )
  SELECT CAST(substr(key, 2) AS INTEGER) AS channel_id FROM channel WHERE key IS NOT NULL`;
const newestQuery = 'SELECT id, body FROM message ORDER BY id DESC LIMIT ?';
/** Matches too much, since field names are searched too; `withLiterals` filters the result. */
const containingLiteral = 'SELECT id, body FROM message WHERE instr(body, ?) > 0 ORDER BY id DESC';
const byIdsQuery = 'SELECT id, body FROM message WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id';
const matchingWords = `
  SELECT message.id, message.body FROM message_text JOIN message ON message.id = message_text.rowid
  WHERE message_text MATCH ? ORDER BY message_text.rowid DESC`;

function collect(rows: Iterable<StoredRow>, limit: number): {messages: Message[]; invalidIds: number[]} {
  const messages: Message[] = [];
  const invalidIds: number[] = [];
  if (limit <= 0) return {messages, invalidIds};
  for (const row of rows) {
    const message = messageFromRow(row);
    if (message === undefined) invalidIds.push(Number(row.id));
    else if (messages.push(message) >= limit) break;
  }
  return {messages, invalidIds};
}

/** Returns the literal as it appears in JSON text. */
function jsonEscaped(literal = ''): string {
  return JSON.stringify(literal).slice(1, -1);
}

function* withLiterals(rows: Iterable<StoredRow>, literals: readonly string[]): Iterable<StoredRow> {
  for (const row of rows) {
    const message = literals.length === 0 ? undefined : messageFromRow(row);
    if (message === undefined || literals.every((literal) => textOf(message).includes(literal))) yield row;
  }
}

function save(db: Database, messages: readonly Message[], maxMessages: number): void {
  let added = 0;
  for (const message of messages) added += saveOne(db, message) ? 1 : 0;
  if (added === 0) return;
  db.run('UPDATE tally SET messages = messages + ?', added);
  const excess = db.number('SELECT messages FROM tally') - maxMessages;
  if (excess > 0) {
    const oldest = db.all('SELECT id FROM message ORDER BY id LIMIT ?', excess);
    removeMessages(
      db,
      oldest.map(({id}) => Number(id)),
    );
  }
}

/**
 * Saves a message; returns whether it is new. Flags and reactions change often, the text rarely: without a
 * change of text the index is not updated.
 */
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

function removeMessages(db: Database, ids: readonly number[]): void {
  const list = JSON.stringify(ids);
  db.run(`INSERT OR IGNORE INTO stale_text SELECT id FROM message WHERE id IN (SELECT value FROM json_each(?))`, list);
  const count = db.run('DELETE FROM message WHERE id IN (SELECT value FROM json_each(?))', list);
  db.run('UPDATE tally SET messages = messages - ?', count);
  sweepIndex(db);
}

/** Overwrites what it deletes, because the user may no longer read it. */
function removeChannel(db: Database, channelId: number): void {
  const rows = db.all(
    'SELECT id FROM message WHERE conversation >= ? AND conversation < ?',
    `c${channelId}:`,
    `c${channelId};`,
  );
  db.exec('PRAGMA secure_delete = ON');
  removeMessages(
    db,
    rows.map(({id}) => Number(id)),
  );
  sweepIndex(db, Number.MAX_SAFE_INTEGER);
  db.exec('PRAGMA secure_delete = OFF');
}

/** How many are removed from the index at a time, and how many may wait. */
const sweepSize = 100;
const maxStale = 10_000;

/**
 * Removes deleted messages from the index. That costs several times as much as adding, so a large batch
 * leaves most of them to later calls. Until then searches skip them.
 */
function sweepIndex(db: Database, minCount = sweepSize): void {
  const staleCount = db.number('SELECT count(*) FROM stale_text');
  const ids = db.all('SELECT id FROM stale_text ORDER BY id LIMIT ?', Math.max(minCount, staleCount - maxStale));
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

/**
 * Scripts without spaces between words (and Hangul, whose words carry endings). The index splits words at
 * spaces, so each of these characters is indexed as a word, and a run of them is searched as a phrase. That
 * finds any part of a run, even a single character, which a trigram index could not, at a third of its size.
 */
const unspacedScripts =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu;

const beyondAscii = /[^\0-\x7f]/;

/** Returns text as it is indexed and searched: full-width and half-width, composed and decomposed forms are equal. */
function indexedText(text: string): string {
  if (!beyondAscii.test(text)) return text;
  return text.normalize('NFKC').replaceAll(unspacedScripts, ' $& ');
}

/** The characters that FTS5 treats as parts of words. */
const wordCharacter = /[\p{L}\p{N}\p{Co}]/u;

const maxWords = 32;
const maxWordLength = 200;

interface FullTextQuery {
  /** An FTS5 expression: all words, the last one as a prefix; undefined when no word can be indexed. */
  readonly expression: string | undefined;
  /** Symbols and emoji, which are not indexed: they are searched in the text itself. */
  readonly literals: readonly string[];
}

/** Builds a query. Every word is quoted, so that nothing in it is parsed as syntax. */
function fullTextQuery(query: string): FullTextQuery {
  const words = query
    .split(/[\s\0]+/)
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => word.slice(0, maxWordLength));
  const isWord = (word: string) => wordCharacter.test(word.normalize('NFKC'));
  const phrases = words.filter(isWord).map((word) => `"${indexedText(word).replaceAll('"', ' ')}"`);
  return {
    expression: phrases.length === 0 ? undefined : `${phrases.join(' ')} *`,
    literals: words.filter((word) => !isWord(word)),
  };
}

/**
 * Returns undefined when the row is not a valid message, for example written by an earlier version in another format.
 */
function messageFromRow(row: StoredRow): Message | undefined {
  const value = parsedJson(row.body);
  if (!isRecord(value) || value.id !== row.id || !hasCommonFields(value)) return undefined;
  if (value.kind === 'channel' ? !hasChannelFields(value) : !hasDirectFields(value)) return undefined;
  // JSON omits undefined fields; messages have all of them.
  value.editedAt ??= undefined;
  value.movedAt ??= undefined;
  if (!isFacts(value.facts)) delete value.facts;
  return value as unknown as Message; // Every field is checked above.
}

function hasCommonFields(value: Record<string, unknown>): boolean {
  const {conversationKey, senderId, senderName, content, timestamp, isMe, editedAt, movedAt} = value;
  return (
    isString(conversationKey) &&
    isNumber(senderId) &&
    isString(senderName) &&
    isString(content) &&
    isNumber(timestamp) &&
    typeof isMe === 'boolean' &&
    isOptionalNumber(editedAt) &&
    isOptionalNumber(movedAt) &&
    isListOf(value.flags, isString) &&
    isListOf(value.reactions, isRecord) &&
    isListOf(value.submessages, isRecord)
  );
}

function hasChannelFields(value: Record<string, unknown>): boolean {
  return isNumber(value.channelId) && isString(value.topic) && isListOf(value.topicLinks, isRecord);
}

function hasDirectFields(value: Record<string, unknown>): boolean {
  return value.kind === 'direct' && isNumberArray(value.userIds) && isRecord(value.names);
}

function isFacts(value: unknown): boolean {
  return (
    isRecord(value) &&
    [value.silentUserIds, value.previews].every((list) => list === undefined || Array.isArray(list)) &&
    [value.users, value.groups, value.channels, value.topics, value.images, value.links].every(
      (record) => record === undefined || isRecord(record),
    )
  );
}

function isOptionalNumber(value: unknown): boolean {
  return value === undefined || value === null || isNumber(value);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}
