import {closeSync, copyFileSync, existsSync, openSync, readSync, statSync, truncateSync, writeSync} from 'node:fs';
import type {StoredPendingChange} from '#state/account-store.ts';
import {conversationFromJson} from '#state/model/conversation.ts';
import {type DraftTarget, type DraftVersion, draftTargetFromJson, type LocalDraft} from '#state/model/draft.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import {Database, type SqlValue, type StoredRow} from './database.ts';

type UserDataTable = 'outbox' | 'draft' | 'deed' | 'note' | 'session';

/** The columns that a new file takes over from a damaged one. */
const userDataColumns: Readonly<Record<UserDataTable, readonly string[]>> = {
  outbox: [
    'position',
    'id',
    'conversation',
    'content',
    'created_at',
    'status',
    'owner',
    'sent_at',
    'after_message_id',
    'message_id',
    'problem',
    'draft_id',
  ],
  draft: ['position', 'id', 'body'],
  deed: ['id', 'body', 'created_at', 'owner'],
  note: ['name', 'body'],
  session: ['id', 'pid', 'host', 'boot', 'started', 'heartbeat'],
};

const rowChecks: Readonly<Record<UserDataTable, (row: StoredRow) => boolean>> = {
  outbox: (row) => outboxEntryFromRow(row) !== undefined,
  draft: (row) => draftFromRow(row) !== undefined,
  deed: (row) => pendingChangeFromRow(row) !== undefined && isOptional(row.owner, isString),
  note: (row) => isString(row.name) && isString(row.body),
  session: (row) => processRecordFromRow(row) !== undefined,
};

export function outboxEntryFromRow(row: StoredRow): OutboxEntry | undefined {
  const {id, position, content, status} = row;
  const conversation = conversationFromJson(parsedJson(row.conversation));
  const isValid =
    isString(id) && isNumber(position) && isString(content) && isNumber(row.created_at) && isStatus(status);
  if (!isValid || conversation === undefined) return undefined;
  return {
    id,
    order: position,
    conversation,
    content,
    createdAt: Number(row.created_at),
    status,
    owner: stringOrUndefined(row.owner),
    sentAt: numberOrUndefined(row.sent_at),
    afterMessageId: numberOrUndefined(row.after_message_id),
    messageId: numberOrUndefined(row.message_id),
    problem: stringOrUndefined(row.problem),
    draftId: stringOrUndefined(row.draft_id),
  };
}

/** Encodes a draft. Equal drafts have equal texts, so that texts can be compared. */
export function encodeDraft(draft: LocalDraft): string {
  const {serverId, target, content, editedAt, base, sent, formerBase, status} = draft;
  return JSON.stringify({
    serverId,
    target: orderedTarget(target),
    content,
    editedAt,
    base: base && orderedVersion(base),
    sent: sent && orderedVersion(sent),
    formerBase: formerBase && orderedVersion(formerBase),
    status,
  });
}

export function draftFromRow(row: StoredRow): LocalDraft | undefined {
  const body = parsedJson(row.body);
  const {id} = row;
  if (!isString(id) || !isRecord(body)) return undefined;
  const {serverId, content, editedAt, status} = body;
  const target = draftTargetFromJson(body.target);
  const base = body.base === undefined ? undefined : versionOf(body.base);
  const isValid = isOptional(serverId, isNumber) && isString(content) && isNumber(editedAt);
  if (!isValid || target === undefined || !isDraftStatus(status)) return undefined;
  const sent = versionOf(body.sent);
  const formerBase = versionOf(body.formerBase);
  return {
    id,
    serverId: numberOrUndefined(serverId),
    target,
    content,
    editedAt,
    base,
    ...(sent !== undefined && {sent}),
    ...(formerBase !== undefined && {formerBase}),
    status,
  };
}

export function pendingChangeFromRow(row: StoredRow): StoredPendingChange | undefined {
  const {id, body} = row;
  if (!isNumber(id) || !isString(body) || !isNumber(row.created_at)) return undefined;
  return {id, body, createdAt: row.created_at};
}

/** A process as others see it. */
export interface ProcessRecord {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly boot: string;
  readonly started: string;
  readonly heartbeat: number;
}

export function processRecordFromRow(row: StoredRow): ProcessRecord | undefined {
  const {id, pid, host, boot, started, heartbeat} = row;
  const isValid =
    isString(id) && isNumber(pid) && isString(host) && isString(boot) && isString(started) && isNumber(heartbeat);
  return isValid ? {id, pid, host, boot, started, heartbeat} : undefined;
}

/** Returns undefined for an invalid version: the draft then counts as never synced. */
function versionOf(value: unknown): DraftVersion | undefined {
  if (!isRecord(value)) return undefined;
  const {content, timestamp} = value;
  const target = draftTargetFromJson(value.target);
  if (target === undefined || !isString(content) || !isNumber(timestamp)) return undefined;
  return {target, content, timestamp};
}

function orderedVersion({target, content, timestamp}: DraftVersion): DraftVersion {
  return {target: orderedTarget(target), content, timestamp};
}

function orderedTarget(target: DraftTarget): DraftTarget {
  if (target.kind === 'direct') return {kind: target.kind, userIds: target.userIds};
  if (target.kind === 'none') return {kind: target.kind, topic: target.topic};
  return {kind: target.kind, channelId: target.channelId, topic: target.topic};
}

const statuses: readonly unknown[] = ['queued', 'sending', 'sent', 'unconfirmed', 'failed', 'held'];

function isStatus(value: unknown): value is OutboxStatus {
  return statuses.includes(value);
}

function isDraftStatus(value: unknown): value is LocalDraft['status'] {
  return value === 'clean' || value === 'dirty' || value === 'deleted';
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

export function isNumberArray(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isNumber);
}

function isOptional(value: unknown, isValue: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || isValue(value);
}

function stringOrUndefined(value: unknown): string | undefined {
  return isString(value) ? value : undefined;
}

function numberOrUndefined(value: unknown): number | undefined {
  return isNumber(value) ? value : undefined;
}

export type SalvagedRows = Readonly<Record<UserDataTable, readonly StoredRow[]>>;

const tables: readonly UserDataTable[] = ['outbox', 'draft', 'deed', 'note', 'session'];

/**
 * Returns the rows that are readable and valid. A scan ends where the damage begins, so each table is read
 * from both ends. Undefined when no table is readable.
 */
export function salvageRows(db: Database): SalvagedRows | undefined {
  let isReadable = false;
  const rowsByTable = {} as Record<UserDataTable, StoredRow[]>; // Filled for every table below.
  for (const table of tables) {
    const rows = new Map<unknown, StoredRow>();
    for (const direction of ['ASC', 'DESC']) {
      isReadable = scan(db, table, direction, rows) || isReadable;
    }
    rowsByTable[table] = [...rows.values()].filter((row) => rowChecks[table](row));
    rowsByTable[table].sort((a, b) => Number(a._rowid) - Number(b._rowid));
  }
  return isReadable ? rowsByTable : undefined;
}

/** Returns false when the table was not found. */
function scan(db: Database, table: UserDataTable, direction: string, rows: Map<unknown, StoredRow>): boolean {
  let hasRows = false;
  try {
    // NOT INDEXED, by rowid: the damage may be in an index.
    const sql = `SELECT rowid AS _rowid, * FROM ${table} NOT INDEXED ORDER BY rowid ${direction}`;
    for (const row of db.each(sql)) {
      hasRows = true;
      if (!rows.has(row._rowid)) rows.set(row._rowid, row);
    }
    return true;
  } catch {
    return hasRows;
  }
}

/** Inserts the rows at their original positions. */
export function restoreRows(db: Database, salvaged: SalvagedRows): void {
  db.transaction('full', () => {
    for (const table of tables) {
      for (const row of salvaged[table]) insertRow(db, table, userDataColumns[table], row);
    }
  });
}

/**
 * Adds the rows of a database in memory to a file. Rows that the file has stay; of two rows with the same number, the added one
 * gets another. Throws when that is not possible now, because a request is under way whose result is recorded by this number.
 */
export function addRows(db: Database, added: SalvagedRows): void {
  db.transaction('normal', () => {
    for (const table of tables) {
      const columns = userDataColumns[table];
      for (const row of added[table]) {
        if (insertRow(db, table, columns, row) || table === 'note' || table === 'session') continue;
        if (table === 'deed' && row.owner !== null) throw new Error('A change is being sent');
        insertRow(db, table, columns.slice(1), row);
      }
    }
    db.run('UPDATE tally SET changes = changes + 1');
  });
}

/** Returns false when there is a row with the same key. */
function insertRow(db: Database, table: UserDataTable, columns: readonly string[], row: StoredRow): boolean {
  const values = columns.map((column) => row[column] as SqlValue); // Valid rows contain texts, numbers and nulls.
  const sql = `INSERT OR IGNORE INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`;
  return db.run(sql, ...values) > 0;
}

const pageSize = 4096;
/** Beyond this size a copy costs more than it may save. */
const maxBytes = 1 << 30;

/**
 * Salvages a file whose first page is destroyed. That page contains only the schema, which is the same in all
 * files of a format: a copy with the first page of a new file may be readable.
 */
export function salvageWithoutHeader(path: string, emptyPath: string, scratchPath: string): SalvagedRows | undefined {
  const {size} = statSync(path);
  if (size < 2 * pageSize || size > maxBytes) return undefined;
  // Not smaller than a new file: SQLite refuses files that lack whole tables.
  const pageCount = Math.max(Math.floor(size / pageSize), statSync(emptyPath).size / pageSize);
  copyFileSync(path, scratchPath);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${scratchPath}-wal`);
  truncateSync(scratchPath, pageCount * pageSize);
  transplantFirstPage(emptyPath, scratchPath, pageCount);
  const db = new Database(scratchPath);
  try {
    return salvageRows(db);
  } finally {
    db.close();
  }
}

function transplantFirstPage(from: string, to: string, pageCount: number): void {
  const page = Buffer.alloc(pageSize);
  const source = openSync(from, 'r');
  readSync(source, page, 0, pageSize, 0);
  closeSync(source);
  page.writeUInt32BE(pageCount, 28);
  // The free list is unknown; an empty one is harmless for reading.
  page.writeUInt32BE(0, 32);
  page.writeUInt32BE(0, 36);
  const target = openSync(to, 'r+');
  writeSync(target, page, 0, pageSize, 0);
  closeSync(target);
}
