import {open} from 'node:fs/promises';
import {basename} from 'node:path';
import type {WriteProblem} from '#state/account-store.ts';
import {errorText} from '#std/error-text.ts';
import {configureDatabase, Database, type Durability} from './database.ts';
import {migrate} from './migrations.ts';
import {checkFileIdentity, type FileConnection, openAccountFile, reopenAccountFile} from './open-account-file.ts';
import {
  type AccountFileOptions,
  createStoreError,
  FileMovedError,
  failureCause,
  isDamageError,
  NewerFormatError,
  toStoreError,
} from './store-failures.ts';
import {addRows, salvageRows} from './stored-rows.ts';

/** Each attempt may use a new file; more attempts than this mean an unreliable disk. */
const maxAttempts = 3;
/** How often writing is tried again after it failed. */
const retryMs = 3000;

/**
 * The open file of one account. When the file is damaged, or moved by another process, it is replaced and the
 * operation is repeated on the new file: bodies passed to this class must be repeatable.
 */
export class AccountFile {
  readonly #options: AccountFileOptions;
  readonly #notify: (notice: string) => void;
  #connection: FileConnection | undefined;
  #isClosed = false;
  /** The number of changes by this process since the connection was opened. */
  #ownChanges = 0;
  #generation = 0;
  readonly #logSync: LogSync;
  #isOnDisk: boolean;
  #problem: WriteProblem | undefined;
  readonly #problemListeners = new Set<() => void>();
  #cancelRetry = () => {};
  /** Called when a database in memory was moved to the disk. */
  onMoved = () => {};

  private constructor(options: AccountFileOptions, connection: FileConnection, notify: (notice: string) => void) {
    this.#options = options;
    this.#logSync = new LogSync(options);
    this.#connection = connection;
    this.#isOnDisk = connection.identity !== undefined;
    this.#notify = notify;
  }

  /** Throws when the disk allows no file. */
  static open(
    options: AccountFileOptions,
    notify: (notice: string) => void,
  ): {file: AccountFile; notice: string | undefined} {
    const opened = openAccountFile(options);
    return {file: new AccountFile(options, opened, notify), notice: opened.notice};
  }

  /** Opens a database in memory. With an error, which prevented a file, it is moved to the disk when that is possible. */
  static inMemory(options: AccountFileOptions, notify: (notice: string) => void, error?: unknown): AccountFile {
    const db = new Database(':memory:');
    configureDatabase(db);
    migrate(db, options.migrationSteps);
    const file = new AccountFile(options, {db, identity: undefined}, notify);
    if (error !== undefined) file.#setProblem(error);
    return file;
  }

  /** False for a database that is lost when the process ends. */
  get isOnDisk(): boolean {
    return this.#isOnDisk;
  }

  /** Why nothing that is written now survives the end of the process. */
  get writeProblem(): WriteProblem | undefined {
    return this.#problem;
  }

  onWriteProblem(listener: () => void): () => void {
    this.#problemListeners.add(listener);
    return () => void this.#problemListeners.delete(listener);
  }

  /** Reads data that must be correct; throws StoreError. */
  read<T>(body: (db: Database) => T): T {
    try {
      return this.#attempt((connection) => connection.db.readTransaction(() => body(connection.db)));
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /**
   * Runs one transaction, which other processes are notified of; throws StoreError. What it survives on return depends
   * on the durability.
   */
  write<T>(body: (db: Database) => T, durability: Exclude<Durability, 'full' | 'cache'> = 'normal'): T {
    try {
      const [result, hasChanged] = this.#attempt((connection) =>
        this.#transaction(connection, durability, (db) => countingChanges(db, body)),
      );
      if (hasChanged) this.#ownChanges++;
      if (hasChanged && durability === 'soon' && this.#isOnDisk) this.#logSync.start();
      if (hasChanged && this.#isOnDisk) this.#setProblem(undefined);
      return result;
    } catch (error) {
      const failure = toStoreError(error);
      if (failure.reason === 'full' || failure.reason === 'unwritable') this.#setProblem(error);
      throw failure;
    }
  }

  /** Writes data that may be lost: a failure is logged. Returns whether it succeeded. */
  tryWrite(what: string, body: (db: Database) => void): boolean {
    return this.#orFallback(what, false, () => {
      this.#attempt((connection) => this.#transaction(connection, 'cache', body));
      return true;
    });
  }

  /** Reads data that may be missing: on failure it logs and returns `fallback`. */
  tryRead<T>(what: string, fallback: T, body: (db: Database) => T): T {
    return this.#orFallback(what, fallback, () =>
      this.#attempt((connection) => connection.db.readTransaction(() => body(connection.db))),
    );
  }

  /** Returns a string that changes when another process changed user data. */
  externalChangeMark(): string {
    return this.#attempt(({db}) => {
      const externalChanges = db.number('SELECT changes FROM tally') - this.#ownChanges;
      return `${this.#generation}:${externalChanges}`;
    });
  }

  /** Returns `writeMark()`, or undefined when it cannot be read. */
  tryWriteMark(): string | undefined {
    return this.#orFallback('Reading messages', undefined, () => this.writeMark());
  }

  /** Returns a string that changes when another process wrote anything; cheaper than `externalChangeMark`. */
  writeMark(): string {
    return this.#attempt(({db}) => `${this.#generation}:${db.number('PRAGMA data_version')}`);
  }

  /** Resolves when all commits until now are on the disk; rejects when the disk refuses them. */
  async synced(): Promise<void> {
    if (this.#isOnDisk) await this.#logSync.whenSynced();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#logSync.stop();
    this.#cancelRetry();
    try {
      this.#connection?.db.close();
    } catch (error) {
      this.#options.log(`Closing ${basename(this.#options.path)} failed: ${errorText(error)}`);
    }
    this.#connection = undefined;
  }

  #setProblem(error: unknown): void {
    const before = this.#problem;
    this.#problem = error === undefined ? undefined : {path: this.#options.path, cause: failureCause(error)};
    if (before?.cause === this.#problem?.cause) return;
    this.#cancelRetry();
    if (this.#problem !== undefined) this.#retryLater();
    for (const listener of [...this.#problemListeners]) listener();
  }

  /** Tries again to write, at intervals, until it succeeds. */
  #retryLater(): void {
    this.#cancelRetry = this.#options.clock.after(retryMs, () => {
      if (this.#isClosed || this.#problem === undefined) return;
      try {
        if (this.#isOnDisk) this.write((db) => db.run('UPDATE tally SET changes = changes'));
        else this.#moveToDisk();
      } catch (error) {
        this.#options.log(`${this.#options.path} still cannot be written: ${errorText(error)}`);
      }
      if (this.#problem !== undefined) this.#retryLater();
    });
  }

  #moveToDisk(): void {
    const memory = this.#current().db;
    const opened = openAccountFile(this.#options);
    try {
      const rows = salvageRows(memory);
      if (rows !== undefined) addRows(opened.db, rows);
    } catch (error) {
      opened.db.close();
      throw error;
    }
    this.#connection = this.#adoptConnection(opened);
    this.#isOnDisk = true;
    memory.close();
    this.#logSync.start();
    this.onMoved();
    this.#setProblem(undefined);
  }

  #transaction<T>(connection: FileConnection, durability: Durability, body: (db: Database) => T): T {
    const {db} = connection;
    return db.transaction(durability, () => {
      // Both are checked again inside the transaction, where no other process can change them.
      checkFileIdentity(this.#options, connection);
      if (db.number('PRAGMA user_version') > this.#options.migrationSteps.length) throw new NewerFormatError(true);
      return body(db);
    });
  }

  #attempt<T>(body: (connection: FileConnection) => T): T {
    for (let attempt = 1; ; attempt++) {
      try {
        return body(this.#current());
      } catch (error) {
        if (attempt === maxAttempts || !(error instanceof FileMovedError || isDamageError(error))) throw error;
        this.#replace(error);
      }
    }
  }

  #current(): FileConnection {
    if (this.#isClosed) throw createStoreError('closed');
    this.#connection ??= this.#adoptConnection(openAccountFile(this.#options));
    checkFileIdentity(this.#options, this.#connection);
    return this.#connection;
  }

  #replace(error: unknown): void {
    const previous = this.#connection;
    if (previous?.identity === undefined) throw error;
    this.#options.log(`${basename(this.#options.path)} is being replaced: ${errorText(error)}`);
    try {
      this.#connection = this.#adoptConnection(reopenAccountFile(this.#options, previous, isDamageError(error)));
    } finally {
      // A replacement that failed before the old file was closed may succeed later; the old file is still readable.
      if (!previous.db.isOpen && this.#connection === previous) this.#connection = undefined;
    }
  }

  #adoptConnection(opened: FileConnection & {readonly notice: string | undefined}): FileConnection {
    this.#generation++;
    this.#ownChanges = 0;
    if (opened.notice !== undefined) this.#notify(opened.notice);
    return opened;
  }

  #orFallback<T>(what: string, fallback: T, body: () => T): T {
    if (this.#isClosed) return fallback;
    try {
      return body();
    } catch (error) {
      this.#options.log(`${what} failed: ${errorText(error)}`, error);
      return fallback;
    }
  }
}

/** Runs the body and counts the change if it wrote anything; returns whether it did. */
function countingChanges<T>(db: Database, body: (db: Database) => T): [T, boolean] {
  const before = db.number('SELECT total_changes()');
  const result = body(db);
  const hasChanged = db.number('SELECT total_changes()') !== before;
  if (hasChanged) db.run('UPDATE tally SET changes = changes + 1');
  return [result, hasChanged];
}

/** Typing commits several times a second; the disk is asked less often, unless something waits for it. */
const pauseMs = 300;

/**
 * Writes SQLite's log of committed changes to the disk in the background: the sync of a busy disk may take longer than a key
 * press may wait. SQLite has no locks on the log, so that opening and closing it again releases none.
 */
class LogSync {
  readonly #options: Pick<AccountFileOptions, 'path' | 'log' | 'clock'>;
  #isRunning = false;
  #isDue = false;
  #waiting: PromiseWithResolvers<void>[] = [];
  #cancelPause: (() => void) | undefined;

  constructor(options: Pick<AccountFileOptions, 'path' | 'log' | 'clock'>) {
    this.#options = options;
  }

  /** Starts a sync that includes all commits until now. Those made during a sync or a pause share the next one. */
  start(): void {
    this.#isDue = true;
    if (!this.#isRunning && this.#cancelPause === undefined) void this.#run();
  }

  /** Resolves when all commits until now are on the disk; rejects when the disk refuses them. */
  whenSynced(): Promise<void> {
    const waiter = Promise.withResolvers<void>();
    this.#waiting.push(waiter);
    this.stop();
    this.start();
    return waiter.promise;
  }

  /** Ends a pause. */
  stop(): void {
    this.#cancelPause?.();
    this.#cancelPause = undefined;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    do {
      this.#isDue = false;
      const waiting = this.#waiting.splice(0);
      try {
        await this.#sync();
        for (const {resolve} of waiting) resolve();
      } catch (error) {
        this.#options.log(`Writing ${this.#options.path} to the disk failed: ${errorText(error)}`, error);
        for (const {reject} of waiting) reject(error);
      }
    } while (this.#waiting.length > 0);
    this.#isRunning = false;
    this.#cancelPause = this.#options.clock.after(pauseMs, () => {
      this.#cancelPause = undefined;
      if (this.#isDue) void this.#run();
    });
  }

  async #sync(): Promise<void> {
    try {
      const file = await open(`${this.#options.path}-wal`, 'r+');
      await file.datasync().finally(() => file.close());
    } catch (error) {
      // SQLite removes the log when the last connection is closed, after copying it into the file.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}
