import {chmodSync, constants, copyFileSync, existsSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {type BackupProgressInfo, backup, DatabaseSync, type SQLInputValue, type StatementSync} from 'node:sqlite';
import {accessError} from '#std/access-error.ts';
import {migrate} from './migrate.ts';
import {hasPhrase, SearchBudget, searchText} from './search-text.ts';

/** A value that can be bound to a placeholder of a statement. */
export type SqlValue = SQLInputValue;

type SqlRow = Record<string, unknown>;

const maxStatements = 2000;

const commonPragmas = 'PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824; PRAGMA busy_timeout = 1000;';

/** The pages that a copy reads at once, during which no query runs: a millisecond. */
const pagesPerStep = 256;
const pagesPerSync = 2048;

/** A serialized in-memory database as the migrations leave it. */
let migratedImage: Uint8Array | undefined;

/**
 * The largest number that is written: as seconds, the last time that a Date represents. Node fails to read integers
 * beyond 2^53, which sums and products of parameters can reach.
 */
const maxStoredNumber = 8.64e12;

/** The error when a number is too large to be stored. */
export class NumberTooLarge extends Error {
  override readonly name = 'NumberTooLarge';
}

/** The error when another process has the database file open. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse';
}

/**
 * A thin wrapper around node:sqlite: statements are prepared once per SQL text, rows are typed by the caller,
 * transactions do not nest. All rows come from our own migrations, so their type is asserted here and only here.
 */
export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly changes = new DatabaseChanges();
  #inTransaction = false;
  readonly #searchBudget: SearchBudget;
  readonly #logCheckpoint: LogCheckpoint | undefined;
  /** The errors that were reported: a statement and its transaction throw the same one. */
  readonly #reported = new WeakSet<Error>();
  readonly #onDamage: ((error: Error) => void) | undefined;

  /** With `asFound` the schema stays as it is, and other processes may read the file too. */
  constructor(
    path: string,
    options: {
      readonly searchBudgetMs?: number | undefined;
      readonly asFound?: boolean | undefined;
      /** Called with a sentence before a schema of an older Parley is converted. */
      readonly onConvert?: (sentence: string) => void;
      /** Called with each error by which SQLite reports a damaged file. */
      readonly onDamage?: (error: Error) => void;
    } = {},
  ) {
    this.#searchBudget = new SearchBudget(options.searchBudgetMs);
    this.#onDamage = options.onDamage;
    this.#db = openFile(path);
    try {
      if (options.asFound === true) this.#openAsFound();
      else this.#configure();
    } catch (error) {
      this.#db.close();
      throw openError(error, path);
    }
    this.#db.function('in_time', () => (this.#inTransaction ? this.#searchBudget.step() : 1));
    this.#db.function('search_text', {deterministic: true}, (text) => searchText(String(text)));
    this.#db.function('has_phrase', (text, phrase) => Number(hasPhrase(String(text), String(phrase))));
    if (options.asFound === true) return;
    try {
      if (path === ':memory:') this.#migrateInMemory();
      else migrate(this, path, options.onConvert);
      this.#eraseDeletedWords();
    } catch (error) {
      this.#db.close();
      throw error;
    }
    this.#db.function('note_change', (name, id) => this.changes.note(name, id));
    this.#db.exec(changeTriggers());
    if (path === ':memory:') return;
    this.#logCheckpoint = new LogCheckpoint(path, () => {
      // The log is also emptied: it has the texts of messages that were deleted since.
      if (this.isOpen) this.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    });
  }

  #openAsFound(): void {
    const pragmas = `${commonPragmas} BEGIN IMMEDIATE; COMMIT;`;
    try {
      this.#db.exec(pragmas);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      // Readers share a file beside the database, for which there is no space. The only reader needs none.
      this.#db.close();
      this.#db.open();
      this.#db.exec(`PRAGMA locking_mode = EXCLUSIVE; ${pragmas}`);
    }
  }

  /** Migrates an in-memory database by copying an earlier one: tests open many, and a copy is faster. */
  #migrateInMemory(): void {
    if (migratedImage !== undefined) {
      this.#db.deserialize(migratedImage);
      return;
    }
    migrate(this);
    // Node 22 has no `serialize`; there every database is migrated.
    if ('serialize' in this.#db) migratedImage = this.#db.serialize();
  }

  /**
   * Makes FTS5 erase the words of deleted messages, which it would only mark as deleted. The setting is stored in the file and
   * is lost when the index is made anew, so it is not part of a migration.
   */
  #eraseDeletedWords(): void {
    if (this.value(`SELECT v FROM message_fts_config WHERE k = 'secure-delete'`) === 1) return;
    try {
      this.exec(`INSERT INTO message_fts (message_fts, rank) VALUES ('secure-delete', 1)`);
    } catch (error) {
      // The next start does it.
      if (!isDiskFull(error)) throw error;
    }
  }

  #configure(): void {
    // EXCLUSIVE: event queues and derived facts are in this process's memory, so a second server on the same file
    // would be wrong; the kernel releases the lock however this process ends.
    // WAL + NORMAL: a finished commit is in the kernel's cache, so it survives the death of this process; a power
    // failure can lose the last moments but never corrupts the file.
    // secure_delete: deleted texts are overwritten, or they would stay in free pages and go into backups.
    // The checkpoints of SQLite wait for the disk: usually ours (`log-checkpoint.ts`) are before them.
    this.#db.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = OFF;
      PRAGMA secure_delete = ON;
      PRAGMA temp_store = MEMORY;
      ${commonPragmas}
      PRAGMA wal_autocheckpoint = 20000;
    `);
    // SQLite takes the lock with the first write; take it now, so that the constructor can report the conflict.
    this.#db.exec('BEGIN IMMEDIATE; COMMIT;');
  }

  all<T = SqlRow>(sql: string, ...values: SqlValue[]): T[] {
    try {
      const rows = this.#prepare(sql).all(...values) as T[];
      this.#searchBudget.finishQuery();
      return rows;
    } catch (error) {
      throw this.#noted(error);
    }
  }

  get<T = SqlRow>(sql: string, ...values: SqlValue[]): T | undefined {
    try {
      const row = this.#prepare(sql).get(...values) as T | undefined;
      this.#searchBudget.finishQuery();
      return row;
    } catch (error) {
      throw this.#noted(error);
    }
  }

  /** Returns the first column of every row. */
  pluck<T = number>(sql: string, ...values: SqlValue[]): T[] {
    return this.all<SqlRow>(sql, ...values).map((row) => firstValue(row) as T);
  }

  /** Returns the first column of the first row. */
  value<T = number>(sql: string, ...values: SqlValue[]): T | undefined {
    const row = this.get<SqlRow>(sql, ...values);
    return row === undefined ? undefined : (firstValue(row) as T);
  }

  /** Yields the rows one by one, for tables that do not fit into memory. The loop may not write. */
  *each<T = SqlRow>(sql: string, ...values: SqlValue[]): Generator<T> {
    // Not from the cache: the same statement would be reset by a second loop.
    try {
      for (const row of this.#db.prepare(sql).iterate(...values)) yield row as T;
    } catch (error) {
      throw this.#noted(error);
    }
  }

  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.#write(sql, values).changes);
  }

  /** Runs an INSERT and returns the new row's id. */
  insert(sql: string, ...values: SqlValue[]): number {
    return Number(this.#write(sql, values).lastInsertRowid);
  }

  /** Inserts a row and returns its id. */
  insertRow(table: string, row: Readonly<Record<string, SqlValue>>, command = 'INSERT'): number {
    const columns = Object.keys(row);
    const sql = `${command} INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    return this.insert(sql, ...Object.values(row));
  }

  /** Inserts a row unless there is one with the same key. */
  insertNewRow(table: string, row: Readonly<Record<string, SqlValue>>): number {
    return this.insertRow(table, row, 'INSERT OR IGNORE');
  }

  /** Inserts a row in place of one with the same key. */
  replaceRow(table: string, row: Readonly<Record<string, SqlValue>>): void {
    this.insertRow(table, row, 'INSERT OR REPLACE');
  }

  /** Changes columns of the row with this id. */
  updateRow(table: string, id: number, columns: Readonly<Record<string, SqlValue>>): void {
    const assignments = Object.keys(columns).map((name) => `${name} = ?`);
    this.run(`UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`, ...Object.values(columns), id);
  }

  /** Returns a row with these values. */
  find<T = SqlRow>(table: string, where: Readonly<Record<string, SqlValue>>): T | undefined {
    return this.get<T>(`SELECT * FROM ${table} WHERE ${conditions(where)}`, ...Object.values(where));
  }

  /** Returns whether there is a row with these values. */
  has(table: string, where: Readonly<Record<string, SqlValue>>): boolean {
    return this.get(`SELECT 1 FROM ${table} WHERE ${conditions(where)} LIMIT 1`, ...Object.values(where)) !== undefined;
  }

  /** Deletes the rows with these values. Returns how many. */
  deleteRows(table: string, where: Readonly<Record<string, SqlValue>>): number {
    return this.run(`DELETE FROM ${table} WHERE ${conditions(where)}`, ...Object.values(where));
  }

  exec(sql: string): void {
    try {
      this.#db.exec(sql);
    } catch (error) {
      throw this.#noted(error);
    }
  }

  transaction<T>(body: () => T): T {
    if (this.#inTransaction) throw new Error('Transactions do not nest');
    this.#prepare('BEGIN IMMEDIATE').run();
    this.#inTransaction = true;
    this.#searchBudget.beginTransaction();
    this.changes.beginTransaction();
    let result: T;
    try {
      result = body();
      this.#prepare('COMMIT').run();
    } catch (error) {
      this.changes.rollBack();
      // After a failed write, such as on a full disk, SQLite may have rolled back already.
      this.rollBackOpenTransaction();
      throw this.#noted(error);
    } finally {
      this.#inTransaction = false;
    }
    return result;
  }

  /** Rolls back a transaction that its failure has left open. Throws if that is impossible. */
  rollBackOpenTransaction(): void {
    if (this.#db.isOpen && this.#db.isTransaction) this.#prepare('ROLLBACK').run();
  }

  /** The version of the schema; see `newestSchema`. */
  get schema(): number {
    return this.value('PRAGMA user_version') ?? 0;
  }

  /**
   * Copies the database into a new file while it is used. The copy is the state at its last step, right before this
   * resolves: until then SQLite repeats each write in the pages that it has copied already.
   */
  async copyTo(path: string, onProgress: (fraction: number) => void = () => {}): Promise<void> {
    const file = await open(path, 'wx', 0o600);
    let syncing = Promise.resolve();
    let synced = 0;
    try {
      const progress = ({totalPages, remainingPages}: BackupProgressInfo) => {
        const done = totalPages - remainingPages;
        onProgress(done / totalPages);
        if (done - synced < pagesPerSync) return;
        synced = done;
        // The last step waits for the disk, and no request is served meanwhile: little must be left to write then.
        syncing = syncing.then(() => file.datasync());
      };
      while (!(await this.#copyUnlessBusy(path, progress))) synced = 0;
      await syncing;
    } finally {
      await syncing.catch(() => {});
      await file.close();
    }
  }

  /** Returns whether the copy was made. During a transaction the first step fails, with an error that says "no error". */
  async #copyUnlessBusy(path: string, progress: (info: BackupProgressInfo) => void): Promise<boolean> {
    try {
      await backup(this.#db, path, {rate: pagesPerStep, progress});
      return true;
    } catch (error) {
      if (errorCode(error) === 0) return false;
      throw this.#noted(error);
    }
  }

  /** Copies the log into the file and empties it, soon and in the background. */
  emptyLog(): void {
    this.#logCheckpoint?.start();
  }

  get isOpen(): boolean {
    return this.#db.isOpen;
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #write(sql: string, values: SqlValue[]) {
    const statement = this.#prepare(sql);
    if (values.some((value) => typeof value === 'number' && !(Math.abs(value) <= maxStoredNumber))) {
      throw new NumberTooLarge();
    }
    this.#logCheckpoint?.countWrite();
    try {
      return statement.run(...values);
    } catch (error) {
      throw this.#noted(error);
    }
  }

  /** Reports an error if SQLite found a damaged file, once, and returns it. */
  #noted(error: unknown): unknown {
    if (isDamaged(error) && !this.#reported.has(error)) {
      this.#reported.add(error);
      this.#onDamage?.(error);
    }
    return error;
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      // Narrows are compiled to SQL, so the number of SQL texts is unlimited: drop the oldest statement.
      const [oldest = ''] = this.#statements.size >= maxStatements ? this.#statements.keys() : [];
      this.#statements.delete(oldest);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
const busyCodes = new Set([5, 6]);
/** SQLITE_FULL, SQLITE_IOERR_WRITE and SQLITE_IOERR_SHMSIZE. */
const fullCodes = new Set([13, 778, 4874]);

/** SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN and SQLITE_AUTH. */
const accessCodes = new Set([3, 8, 14, 23]);
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damageCodes = new Set([11, 26]);

function openFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path);
  } catch (error) {
    throw openError(error, path);
  }
}

/** Returns the reason why a file cannot be opened: SQLite does not say which. */
function openError(error: unknown, path: string): unknown {
  const code = primaryCode(error);
  if (busyCodes.has(code)) return new DatabaseInUse(`Another Parley is serving ${path}.`);
  return accessCodes.has(code) ? (accessError(path) ?? error) : error;
}

/**
 * Copies a database that this process may only read, with its log. Throws `DatabaseInUse` if a server has it open: the copy would not
 * be the state at one moment.
 */
export function copyReadOnly(path: string, target: string): void {
  try {
    const db = new DatabaseSync(path, {readOnly: true});
    try {
      db.exec('SELECT 1 FROM sqlite_schema');
    } finally {
      db.close();
    }
  } catch (error) {
    // SQLite cannot read a file with a log where it cannot write. What is damaged is found in the copy.
    if (busyCodes.has(primaryCode(error))) throw openError(error, path);
  }
  for (const end of ['', '-wal']) {
    if (end === '' || existsSync(path + end)) copyFileSync(path + end, target + end, constants.COPYFILE_FICLONE);
    if (existsSync(target + end)) chmodSync(target + end, 0o600);
  }
}

/** Returns whether SQLite reported the error. */
export function isDatabaseError(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error;
}

/** Returns whether the content of the file is the reason of an error: it is damaged, or lacks a table. Other errors are of the access to it. */
export function isWrongContent(error: unknown): error is Error {
  return isDamaged(error) || primaryCode(error) === 1;
}

/** Returns whether SQLite found that the file is damaged, or is no database. */
export function isDamaged(error: unknown): error is Error {
  return damageCodes.has(primaryCode(error));
}

function errorCode(error: unknown): number {
  return isDatabaseError(error) && 'errcode' in error ? Number(error.errcode) : -1;
}

/** Returns the kind of an error of SQLite; the higher bits say more about it. */
function primaryCode(error: unknown): number {
  const code = errorCode(error);
  return code === -1 ? -1 : code & 0xff;
}

/** Returns whether the database or a file could not be written because the disk, or a quota on it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error) return fullCodes.has(Number(error.errcode));
  return 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

function firstValue(row: SqlRow): unknown {
  for (const key in row) return row[key];
  return undefined;
}

/** The written statements between two checkpoints: some thousand pages. */
const writesPerCheckpoint = 2000;

/**
 * Copies SQLite's log of committed changes into the database file before SQLite itself does. A checkpoint waits until the
 * disk has the log: here that happens in the background, and only the rest, some milliseconds, delays requests.
 */
class LogCheckpoint {
  readonly #logPath: string;
  readonly #copyLog: () => void;
  #writes = 0;
  #isRunning = false;

  constructor(databasePath: string, copyLog: () => void) {
    this.#logPath = `${databasePath}-wal`;
    this.#copyLog = copyLog;
  }

  countWrite(): void {
    if (++this.#writes >= writesPerCheckpoint) this.start();
  }

  start(): void {
    if (this.#isRunning) return;
    this.#writes = 0;
    this.#isRunning = true;
    this.#run()
      // A full disk or a closed database: SQLite repeats the checkpoint when the log is longer, or when it is opened.
      .catch(() => {})
      .finally(() => {
        this.#isRunning = false;
      });
  }

  async #run(): Promise<void> {
    // For writing, which Windows wants for a sync. SQLite has no locks on the log that closing it could release.
    const log = await open(this.#logPath, 'r+');
    try {
      await log.datasync();
    } finally {
      await log.close();
    }
    this.#copyLog();
  }
}

/** With more changes than this, all rows count as changed. */
const maxNoted = 1000;

/** The tables whose changes are noted: for what, and the column with the id of what changed; without one, all has. */
const watchedTables: Readonly<Record<string, readonly [keyof DatabaseChanges, column?: string]>> = {
  // What the API shows of users is made from four tables.
  user: ['users', 'id'],
  profile_value: ['users', 'user_id'],
  profile_field: ['users'],
  linkifier: ['users'],
  channel: ['channels', 'id'],
  search_outdated: ['outdatedSearchEntries', 'id'],
};
const changedRows = {INSERT: 'new', UPDATE: 'new', DELETE: 'old'};
/** Where a message is. New messages are not noted, because nothing is cached of them, and each send would cost more. */
const messageTriggers = `
  CREATE TEMP TRIGGER message_moved AFTER UPDATE OF channel_id, topic, unread_by_default ON main.message
    BEGIN SELECT note_change('messages', new.id); END;
  CREATE TEMP TRIGGER message_deleted AFTER DELETE ON main.message
    BEGIN SELECT note_change('messages', old.id); END;`;

/** Returns SQL that makes SQLite report changed rows, by whatever statement, to the function `note_change`. */
function changeTriggers(): string {
  return Object.entries(watchedTables)
    .flatMap(([table, [changes, column]]) =>
      Object.entries(changedRows).map(
        ([change, row]) => `CREATE TEMP TRIGGER ${table}_${change} AFTER ${change} ON main.${table}
          BEGIN SELECT note_change('${changes}', ${column === undefined ? 'NULL' : `${row}.${column}`}); END;`,
      ),
    )
    .concat(messageTriggers)
    .join('\n');
}

/** Which rows changed since a version. */
class RowChanges {
  #version = 0;
  /** The version when all rows may have changed. */
  #allChangedAt = 0;
  readonly #changedAt = new Map<number, number>();
  #transactionStart = 0;

  /** A number that changes with every change of a row, and when one is undone. */
  get version(): number {
    return this.#version;
  }

  /** Records the change of one row, or of all; returns the new version. */
  note(id: number | null): number {
    this.#version++;
    if (id !== null && this.#changedAt.size < maxNoted) {
      this.#changedAt.set(id, this.#version);
    } else {
      this.#changedAt.clear();
      this.#allChangedAt = this.#version;
    }
    return this.#version;
  }

  beginTransaction(): void {
    this.#transactionStart = this.#version;
  }

  /** Counts the changes of the transaction once more: what was read meanwhile is outdated. */
  rollBack(): void {
    const undone = this.since(this.#transactionStart) ?? [null];
    for (const id of undone) this.note(id);
  }

  /** Returns the ids of the rows that changed after a version; undefined means that all may have. */
  since(version: number): number[] | undefined {
    if (version < this.#allChangedAt) return undefined;
    if (version === this.#version) return [];
    return [...this.#changedAt].filter(([, changedAt]) => changedAt > version).map(([id]) => id);
  }
}

/** What changed in one database, so that what is made from its rows can be cached. */
class DatabaseChanges {
  readonly users = new RowChanges();
  readonly channels = new RowChanges();
  readonly messages = new RowChanges();
  readonly outdatedSearchEntries = new RowChanges();
  readonly #all: ReadonlyMap<unknown, RowChanges> = new Map(Object.entries(this));

  /** Implements `note_change`. */
  note(name: unknown, id: unknown): number {
    return this.#all.get(name)?.note(id === null ? null : Number(id)) ?? 0;
  }

  beginTransaction(): void {
    for (const rows of this.#all.values()) rows.beginTransaction();
  }

  rollBack(): void {
    for (const rows of this.#all.values()) rows.rollBack();
  }
}

function conditions(where: Readonly<Record<string, SqlValue>>): string {
  return Object.keys(where)
    .map((column) => `${column} = ?`)
    .join(' AND ');
}
