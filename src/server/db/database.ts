import {DatabaseSync, type SQLInputValue, type StatementSync} from 'node:sqlite';
import {migrate} from './migrations.ts';

/** What can be bound to a statement. */
export type SqlValue = SQLInputValue;

type SqlRow = Record<string, unknown>;

const mostStatements = 2000;

/** An in-memory database as the migrations leave it. */
let blank: Uint8Array | undefined;

/** Another process has the file open. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse';
}

/**
 * A thin skin over node:sqlite: statements are prepared once per text, rows are typed by the caller,
 * transactions do not nest. Rows are what our own migrations made, so their type is asserted here and only here.
 */
export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #userWriters = new Set<string>();
  #userVersion = 0;
  #inTransaction = false;

  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    try {
      this.#configure();
    } catch (error) {
      this.#db.close();
      throw isBusy(error) ? new DatabaseInUse(`Another Parley is serving ${path}.`) : error;
    }
    if (path === ':memory:') this.#copyBlank();
    else migrate(this);
  }

  /** A process that serves from memory once does so again and again (tests do): a copy is quicker than the migrations. */
  #copyBlank(): void {
    if (blank !== undefined) {
      this.#db.deserialize(blank);
      return;
    }
    migrate(this);
    // Node 22 cannot do this yet, and does without.
    if ('serialize' in this.#db) blank = this.#db.serialize();
  }

  #configure(): void {
    // EXCLUSIVE: queues and derived facts live in this process, so a second server on the same file would be wrong;
    // the kernel gives the lock back however this process ends.
    // WAL + NORMAL: a commit is in the kernel's hands when it returns, so it survives the death of this process;
    // only a power cut can lose the last moments, and never the consistency of the file.
    this.#db.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = OFF;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -65536;
      PRAGMA mmap_size = 1073741824;
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA busy_timeout = 1000;
    `);
    // The lock is taken by the first write; take it now, while there is somebody to tell.
    this.#db.exec('BEGIN IMMEDIATE; COMMIT;');
  }

  all<T = SqlRow>(sql: string, ...values: SqlValue[]): T[] {
    return this.#prepare(sql).all(...values) as T[];
  }

  get<T = SqlRow>(sql: string, ...values: SqlValue[]): T | undefined {
    return this.#prepare(sql).get(...values) as T | undefined;
  }

  /** The first column of every row. */
  pluck<T = number>(sql: string, ...values: SqlValue[]): T[] {
    return this.all<SqlRow>(sql, ...values).map((row) => firstValue(row) as T);
  }

  /** The first column of the first row. */
  value<T = number>(sql: string, ...values: SqlValue[]): T | undefined {
    const row = this.get<SqlRow>(sql, ...values);
    return row === undefined ? undefined : (firstValue(row) as T);
  }

  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.#write(sql, values).changes);
  }

  /** Runs an INSERT and gives the new row's id. */
  insert(sql: string, ...values: SqlValue[]): number {
    return Number(this.#write(sql, values).lastInsertRowid);
  }

  /** Changes whenever anything is written to the table of users: every request looks its caller up, few change them. */
  get userVersion(): number {
    return this.#userVersion;
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  transaction<T>(body: () => T): T {
    if (this.#inTransaction) throw new Error('Transactions do not nest');
    this.run('BEGIN IMMEDIATE');
    this.#inTransaction = true;
    let result: T;
    try {
      result = body();
      this.run('COMMIT');
    } catch (error) {
      this.run('ROLLBACK');
      throw error;
    } finally {
      this.#inTransaction = false;
    }
    return result;
  }

  get isOpen(): boolean {
    return this.#db.isOpen;
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #write(sql: string, values: SqlValue[]) {
    const statement = this.#prepare(sql);
    if (this.#userWriters.has(sql)) this.#userVersion++;
    return statement.run(...values);
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      // Narrows are compiled to SQL, so there is no end to the texts; the oldest goes, and is prepared again if needed.
      if (this.#statements.size >= mostStatements) {
        for (const oldest of this.#statements.keys()) {
          this.#statements.delete(oldest);
          break;
        }
      }
      this.#statements.set(sql, statement);
      if (writesUsers.test(sql)) this.#userWriters.add(sql);
    }
    return statement;
  }
}

const writesUsers = /^\s*(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE|DELETE\s+FROM)\s+user\b/i;

const busyCodes = new Set([5, 6]);

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && busyCodes.has(Number(error.errcode));
}

function firstValue(row: SqlRow): unknown {
  for (const key in row) return row[key];
  return undefined;
}

/** `?, ?, ?` for an IN list. Pass ids through `json_each(?)` instead when the list may be long. */
export function placeholders(count: number): string {
  return Array.from({length: count}, () => '?').join(', ');
}
