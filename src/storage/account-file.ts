import {basename} from 'node:path';
import type {AccountFileOptions} from './account-file-options.ts';
import {configureDatabase, Database, type Durability} from './database.ts';
import {migrate} from './migrations.ts';
import {
  checkFileIdentity,
  type FileConnection,
  openAccountFile,
  reopenAccountFile,
} from './open-account-file.ts';
import {
  createStoreError,
  errorMessage,
  FileMovedError,
  isDamageError,
  NewerFormatError,
  toStoreError,
} from './store-failures.ts';

/** Each may put another file in place; more than that is a disk that cannot be relied on. */
const mostAttempts = 3;

/**
 * The open file of one account. A file that turns out damaged, or is moved by another program, is replaced and what was
 * asked for is done again on the new one: bodies given to this class must bear repetition.
 */
export class AccountFile {
  readonly #place: AccountFileOptions;
  readonly #tell: (notice: string) => void;
  #connection: FileConnection | undefined;
  #isClosed = false;
  /** Changes by this program since the connection was made. */
  #ownChanges = 0;
  #generation = 0;

  private constructor(place: AccountFileOptions, connection: FileConnection, tell: (notice: string) => void) {
    this.#place = place;
    this.#connection = connection;
    this.#tell = tell;
  }

  /** Throws when the disk allows no file. */
  static open(
    place: AccountFileOptions,
    tell: (notice: string) => void,
  ): {file: AccountFile; notice: string | undefined} {
    const opened = openAccountFile(place);
    return {file: new AccountFile(place, opened, tell), notice: opened.notice};
  }

  /** Nothing is kept. */
  static inMemory(place: AccountFileOptions): AccountFile {
    const db = new Database(':memory:');
    configureDatabase(db);
    migrate(db, place.migrationSteps);
    return new AccountFile(place, {db, identity: undefined}, () => {});
  }

  /** Reads what must be right; throws StoreError. */
  read<T>(body: (db: Database) => T): T {
    try {
      return this.#attempt((connection) => connection.db.readTransaction(() => body(connection.db)));
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /**
   * One transaction, on disk when it returns, that other programs hear of; throws StoreError. With `normal` it survives the
   * end of the program, but perhaps not that of the machine, and does not wait for the disk.
   */
  write<T>(body: (db: Database) => T, durability: Durability = 'full'): T {
    try {
      const [result, hasChanged] = this.#attempt((connection) =>
        this.#transaction(connection, durability, (db) => counted(db, body)),
      );
      if (hasChanged) this.#ownChanges++;
      return result;
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** Writes what may be lost: a failure is logged. */
  tryWrite(what: string, body: (db: Database) => void): void {
    this.#leniently(what, undefined, () =>
      this.#attempt((connection) => this.#transaction(connection, 'normal', body)),
    );
  }

  /** Reads what may be missing: a failure is logged, and `otherwise` given. */
  tryRead<T>(what: string, otherwise: T, body: (db: Database) => T): T {
    return this.#leniently(what, otherwise, () =>
      this.#attempt((connection) => connection.db.readTransaction(() => body(connection.db))),
    );
  }

  /** Differs from the last one when another program has changed something. */
  externalChangeMark(): string {
    return this.#attempt(({db}) => {
      const foreign = db.number('SELECT changes FROM tally') - this.#ownChanges;
      return `${this.#generation}:${foreign}`;
    });
  }

  /** Differs from the last one when another program has written anything at all; cheaper than the above. */
  writeMark(): string {
    return this.#attempt(({db}) => `${this.#generation}:${db.number('PRAGMA data_version')}`);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    try {
      this.#connection?.db.close();
    } catch (error) {
      this.#place.log(`Closing ${basename(this.#place.path)} failed: ${errorMessage(error)}`);
    }
    this.#connection = undefined;
  }

  #transaction<T>(connection: FileConnection, durability: Durability, body: (db: Database) => T): T {
    const {db} = connection;
    return db.transaction(durability, () => {
      // Both are checked again here, where no other program can be in the middle of changing them.
      checkFileIdentity(this.#place, connection);
      if (db.number('PRAGMA user_version') > this.#place.migrationSteps.length)
        throw new NewerFormatError(true);
      return body(db);
    });
  }

  #attempt<T>(body: (connection: FileConnection) => T): T {
    for (let attempt = 1; ; attempt++) {
      try {
        return body(this.#current());
      } catch (error) {
        if (attempt === mostAttempts || !(error instanceof FileMovedError || isDamageError(error)))
          throw error;
        this.#replace(error);
      }
    }
  }

  #current(): FileConnection {
    if (this.#isClosed) throw createStoreError('closed');
    this.#connection ??= this.#begin(openAccountFile(this.#place));
    checkFileIdentity(this.#place, this.#connection);
    return this.#connection;
  }

  #replace(error: unknown): void {
    const previous = this.#connection;
    if (previous?.identity === undefined) throw error;
    this.#place.log(`${basename(this.#place.path)} is left: ${errorMessage(error)}`);
    try {
      this.#connection = this.#begin(reopenAccountFile(this.#place, previous, isDamageError(error)));
    } finally {
      // What failed before the old file was left may succeed later; it can still be read.
      if (!previous.db.isOpen && this.#connection === previous) this.#connection = undefined;
    }
  }

  #begin(opened: FileConnection & {readonly notice: string | undefined}): FileConnection {
    this.#generation++;
    this.#ownChanges = 0;
    if (opened.notice !== undefined) this.#tell(opened.notice);
    return opened;
  }

  #leniently<T>(what: string, otherwise: T, body: () => T): T {
    if (this.#isClosed) return otherwise;
    try {
      return body();
    } catch (error) {
      this.#place.log(`${what} failed: ${errorMessage(error)}`, error);
      return otherwise;
    }
  }
}

/** With whether anything was written, in which case the change is counted. */
function counted<T>(db: Database, body: (db: Database) => T): [T, boolean] {
  const before = db.number('SELECT total_changes()');
  const result = body(db);
  const hasChanged = db.number('SELECT total_changes()') !== before;
  if (hasChanged) db.run('UPDATE tally SET changes = changes + 1');
  return [result, hasChanged];
}
