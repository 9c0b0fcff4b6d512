import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {DatabaseSync, type SQLInputValue, type StatementSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';
import {targetPath} from '#std/target-path.ts';

/** A value that can be bound to a statement. */
export type SqlValue = SQLInputValue;

/** A row as stored: a damaged file may contain anything, so readers check it. */
export type StoredRow = Readonly<Record<string, unknown>>;

/**
 * `full`: on disk when the commit returns. The others survive the end of the process and do not wait for the disk; a power
 * cut may undo them until the log is written to the disk, which for `soon` is started at once. `cache`: data that may be lost.
 */
export type Durability = 'full' | 'soon' | 'normal' | 'cache';

const userData = 'PRAGMA busy_timeout = 5000; PRAGMA wal_autocheckpoint = 8000';

/**
 * SQLite's settings for each. `busy_timeout`: how long to wait for another process's transaction, in milliseconds; ours take
 * a few. `wal_autocheckpoint`: after so many pages the log is copied into the file, which waits for the disk. Commits of
 * cached data do that, because they wait until no key is pressed; a commit that a key causes does not, unless the log is huge.
 */
const settings: Readonly<Record<Durability, string>> = {
  full: `PRAGMA synchronous = FULL; ${userData}`,
  soon: `PRAGMA synchronous = NORMAL; ${userData}`,
  normal: `PRAGMA synchronous = NORMAL; ${userData}`,
  cache: 'PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 1000; PRAGMA wal_autocheckpoint = 1000',
};

/** A thin wrapper of node:sqlite: statements are prepared once per text, transactions do not nest. */
export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #settings: string | undefined;

  /** `immutable`: read-only without other writers, so that SQLite needs no companion files. */
  constructor(path: string, access: 'write' | 'read' | 'immutable' = 'write') {
    const location = access === 'immutable' ? immutableUrl(path) : path;
    this.#db = new DatabaseSync(location, {readOnly: access !== 'write'});
    this.#db.exec(userData);
  }

  all(sql: string, ...values: SqlValue[]): StoredRow[] {
    return this.#prepare(sql).all(...values);
  }

  /** Returns the rows lazily; the reader may stop early. */
  each(sql: string, ...values: SqlValue[]): Iterable<StoredRow> {
    return this.#prepare(sql).iterate(...values);
  }

  first(sql: string, ...values: SqlValue[]): StoredRow | undefined {
    return this.#prepare(sql).get(...values);
  }

  /** Returns the first column of the first row; NaN when there is none or it is not a number. */
  number(sql: string, ...values: SqlValue[]): number {
    const row = this.first(sql, ...values);
    for (const name in row) return typeof row[name] === 'number' ? row[name] : Number.NaN;
    return Number.NaN;
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Runs an INSERT and returns the new row's id. */
  insert(sql: string, ...values: SqlValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** Runs `body` atomically, with no other writer in between. */
  transaction<T>(durability: Durability, body: () => T): T {
    this.#applySettings(settings[durability]);
    this.run('BEGIN IMMEDIATE');
    try {
      const result = body();
      this.run('COMMIT');
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Runs several reads on one consistent version. */
  readTransaction<T>(body: () => T): T {
    this.run('BEGIN');
    try {
      return body();
    } finally {
      this.rollBack();
    }
  }

  get isOpen(): boolean {
    return this.#db.isOpen;
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  /** Must run outside a transaction, where SQLite would ignore it. */
  #applySettings(pragmas: string): void {
    if (this.#settings === pragmas) return;
    this.#db.exec(pragmas);
    this.#settings = pragmas;
  }

  rollBack(): void {
    try {
      this.run('ROLLBACK');
    } catch {
      // After a full disk or a failed write SQLite has rolled back already.
    }
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function immutableUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return url;
}

export function configureDatabase(db: Database): void {
  // fullfsync: on macOS an ordinary sync does not reach the disk. cache_size: the system caches the file, too.
  // journal_size_limit: a large saved state does not leave a large log behind.
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA fullfsync = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -1024;
    PRAGMA journal_size_limit = 8388608;
  `);
}

/** Returns SQLite's primary result code; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}

/** SQLite's code for a file that another connection uses. */
export const busyCode = 5;

/** SQLite uses up to three files, which are moved and deleted together. */
const suffixes = ['', '-wal', '-shm'];

/** Resolves symbolic links: SQLite puts its companion files beside the target of a link, so this code must too. */
export function realPath(path: string): string {
  try {
    return targetPath(path);
  } catch {
    return resolve(path);
  }
}

/**
 * Creates the file and its directory, readable by the owner only, whatever the umask. SQLite gives its
 * companion files the mode of the file, so it must be right before the first write. Existing directories keep
 * their mode: one of them may be the home directory.
 */
export function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), {recursive: true, mode: 0o700});
  if (existsSync(path)) {
    repairModes(path);
    return;
  }
  const file = openSync(path, 'a', 0o600);
  try {
    // Only an unusual umask makes it another mode, and a session over SSH may not change modes by descriptors.
    if ((fstatSync(file).mode & 0o777) !== 0o600) fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

function repairModes(path: string): void {
  for (const suffix of suffixes) {
    const stats = statSync(path + suffix, {throwIfNoEntry: false});
    if (stats === undefined || !stats.isFile() || (stats.mode & 0o777) === 0o600) continue;
    try {
      chmodSync(path + suffix, 0o600);
    } catch {
      // Another user's file; the next access shows whether it is usable.
    }
  }
}

/** Returns a string that identifies the file at a path; undefined when there is none. */
export function fileIdentity(path: string): string | undefined {
  const stats = statSync(path, {bigint: true, throwIfNoEntry: false});
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

/**
 * Moves the main file first: an interruption then leaves a stale log without a file, which SQLite discards; a
 * file without its log would lack the latest writes.
 */
function moveDatabaseFiles(from: string, to: string): void {
  for (const suffix of suffixes) {
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  }
}

export function deleteDatabaseFiles(path: string): void {
  for (const suffix of suffixes) rmSync(path + suffix, {force: true});
}

/** Renames the file to a name that contains the reason and the time. */
export function setFileAside(path: string, reason: 'corrupt' | 'newer', now: number): string {
  const time = new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  let aside = `${path}.${reason}-${time}`;
  for (let serial = 2; existsSync(aside); serial++) aside = `${path}.${reason}-${time}-${serial}`;
  moveDatabaseFiles(path, aside);
  return aside;
}

/**
 * Runs `body` while no other process opens, replaces or renames the file at `path`. The lock is SQLite's own
 * on an empty file beside it, so the kernel releases it however the process ends. The empty file stays:
 * deleting it would let two processes lock.
 */
export function withOpeningLock<T>(path: string, body: () => T): T {
  const lockPath = `${path}.lock`;
  createPrivateFile(lockPath);
  const lock = new Database(lockPath);
  try {
    // A slow start on a busy machine is better than one that saves nothing.
    lock.exec('PRAGMA busy_timeout = 15000; BEGIN EXCLUSIVE');
    return body();
  } finally {
    lock.close();
  }
}
