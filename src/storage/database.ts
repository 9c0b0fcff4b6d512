import {DatabaseSync, type SQLInputValue, type StatementSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';

/** What can be bound to a statement. */
export type SqlValue = SQLInputValue;

/** Whatever the file holds: a damaged file may hold anything, so readers check. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** `full`: on disk when the commit returns. `normal`: survives the death of the program, not a power cut. */
export type Durability = 'full' | 'normal';

/**
 * How long to wait for another program's transaction (milliseconds). Ours last a few; what is only cached is given up
 * sooner than what a person wrote.
 */
const patience: Readonly<Record<Durability, number>> = {full: 5000, normal: 1000};

/** A thin skin over node:sqlite: statements are prepared once per text, transactions do not nest. */
export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #durability: Durability | undefined;

  /** `still`: read only, and nobody writes, so that SQLite needs no files beside it. */
  constructor(path: string, access: 'write' | 'read' | 'still' = 'write') {
    const place = access === 'still' ? stillAddress(path) : path;
    this.#db = new DatabaseSync(place, {readOnly: access !== 'write'});
    this.#db.exec(`PRAGMA busy_timeout = ${patience.full}`);
  }

  all(sql: string, ...values: SqlValue[]): StoredRow[] {
    return this.#prepare(sql).all(...values);
  }

  /** Row by row; the reader may stop when it has enough. */
  each(sql: string, ...values: SqlValue[]): Iterable<StoredRow> {
    return this.#prepare(sql).iterate(...values);
  }

  first(sql: string, ...values: SqlValue[]): StoredRow | undefined {
    return this.#prepare(sql).get(...values);
  }

  /** The first column of the first row; NaN when there is none or it is no number. */
  number(sql: string, ...values: SqlValue[]): number {
    const row = this.first(sql, ...values);
    for (const name in row) return typeof row[name] === 'number' ? row[name] : Number.NaN;
    return Number.NaN;
  }

  /** Gives how many rows changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Runs an INSERT and gives the new row's id. */
  insert(sql: string, ...values: SqlValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** All of `body` or nothing of it, with no other writer in between. */
  transaction<T>(durability: Durability, body: () => T): T {
    this.#setDurability(durability);
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

  /** Several reads of one moment. */
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

  /** SQLite ignores a change of this inside a transaction. */
  #setDurability(durability: Durability): void {
    if (this.#durability === durability) return;
    this.#db.exec(
      `PRAGMA synchronous = ${durability.toUpperCase()}; PRAGMA busy_timeout = ${patience[durability]}`,
    );
    this.#durability = durability;
  }

  rollBack(): void {
    try {
      this.run('ROLLBACK');
    } catch {
      // A full disk or a failed write has rolled back already.
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

function stillAddress(path: string): URL {
  const address = pathToFileURL(path);
  address.searchParams.set('immutable', '1');
  return address;
}

export function configureDatabase(db: Database): void {
  // fullfsync: on macOS an ordinary sync does not reach the disk.
  // journal_size_limit: a large snapshot does not leave a large log behind.
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA fullfsync = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -8192;
    PRAGMA journal_size_limit = 8388608;
  `);
}

/** SQLite's primary result code; undefined for what did not come from SQLite. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}
