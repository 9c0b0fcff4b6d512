import {existsSync, renameSync} from 'node:fs';
import {basename} from 'node:path';
import type {AccountFileOptions} from './account-file-options.ts';
import {configureDatabase, Database, sqliteCode} from './database.ts';
import {createPrivateFile, deleteDatabaseFiles, fileIdentity, setFileAside} from './database-files.ts';
import {checkUserDataTables, formatOf, migrate} from './migrations.ts';
import {withOpeningLock} from './opening-lock.ts';
import {buildReplacement, replacementPath} from './replacement-file.ts';
import {errorMessage, FileMovedError, isUnusableFileError, NewerFormatError} from './store-failures.ts';

export interface FileConnection {
  readonly db: Database;
  readonly identity: string | undefined;
}

export interface OpenedConnection extends FileConnection {
  /** What the user should know. */
  readonly notice: string | undefined;
}

/** Opens the file, makes it, or puts a fresh one in its place. Throws when the disk does not allow any of it. */
export function openAccountFile(place: AccountFileOptions): OpenedConnection {
  return withOpeningLock(place.path, () => openLocked(place, undefined));
}

/** Leaves a connection whose file is damaged or gone from its place, and opens what is to be used instead. */
export function reopenAccountFile(
  place: AccountFileOptions,
  previous: FileConnection,
  isDamaged: boolean,
): OpenedConnection {
  return withOpeningLock(place.path, () => {
    const identity = fileIdentity(place.path);
    let notice: string | undefined;
    if (identity === undefined) {
      // Deleted under our feet: what is unsent is still in our hands.
      place.log(`${basename(place.path)} was deleted while in use; a fresh one is made`);
      buildReplacement(place, previous.db);
      completeReplacement(place.path);
    } else if (identity === previous.identity && isDamaged) {
      // What looks like damage may be a table that a newer Parley has changed.
      if (isNewer(previous.db, place.migrationSteps)) throw new NewerFormatError(true);
      notice = replaceDamaged(place, previous.db);
    }
    previous.db.close();
    return openLocked(place, notice);
  });
}

function openLocked(place: AccountFileOptions, notice: string | undefined): OpenedConnection {
  completeReplacement(place.path);
  createPrivateFile(place.path);
  const db = new Database(place.path);
  try {
    prepare(db, place);
    return {db, identity: fileIdentity(place.path), notice};
  } catch (error) {
    // A fresh file that is no good either is the disk's fault: no second try.
    if (notice !== undefined) {
      db.close();
      throw error;
    }
    return openLocked(place, clearedAway(place, db, error));
  }
}

/** Makes room for a fresh file where there is one that cannot be used; tells the user so. */
function clearedAway(place: AccountFileOptions, db: Database, error: unknown): string {
  if (isUnusableFileError(error)) {
    place.log(`${basename(place.path)} is damaged: ${errorMessage(error)}`);
    try {
      return replaceDamaged(place, db);
    } finally {
      db.close();
    }
  }
  db.close();
  if (!(error instanceof NewerFormatError)) throw error;
  if (isInUse(place.path)) throw new NewerFormatError(true);
  const aside = basename(setFileAside(place.path, 'newer', place.clock.now()));
  return `The saved data of this account is from a newer Parley: it was set aside as ${aside}, and a fresh file begun.`;
}

function isNewer(db: Database, steps: readonly string[]): boolean {
  try {
    return db.number('PRAGMA user_version') > steps.length;
  } catch {
    return false;
  }
}

/** Reads before it writes: nothing of a file that is not ours is touched. */
function prepare(db: Database, place: AccountFileOptions): void {
  if (formatOf(db) > place.migrationSteps.length) throw new NewerFormatError(false);
  configureDatabase(db);
  migrate(db, place.migrationSteps);
  checkUserDataTables(db);
  // A file that can only be read is no place to keep anything.
  db.transaction('normal', () => {});
}

function replaceDamaged(place: AccountFileOptions, db: Database): string {
  // Holds other programs that still use it until the file has moved; they notice, and come after.
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch {
    // Damaged beyond locking: then nobody else writes to it either.
  }
  try {
    const saved = buildReplacement(place, db);
    const aside = basename(setFileAside(place.path, 'corrupt', place.clock.now()));
    completeReplacement(place.path);
    return `The saved data of this account was damaged: it was set aside as ${aside}, and a fresh file begun${saved}.`;
  } finally {
    db.rollBack();
  }
}

/** The second half of a replacement, also of one whose program died halfway. */
function completeReplacement(path: string): void {
  const replacement = replacementPath(path);
  if (!existsSync(replacement)) return;
  if (existsSync(path)) {
    // Not used, so perhaps not complete.
    deleteDatabaseFiles(replacement);
    return;
  }
  // A log left here belongs to the file that was moved; SQLite would play it into the new one.
  deleteDatabaseFiles(path);
  renameSync(replacement, path);
}

const busy = 5;

/** Every program that uses a file in WAL mode holds a shared lock on it for as long as it is open. */
function isInUse(path: string): boolean {
  const probe = new Database(path);
  try {
    probe.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE');
    probe.first('SELECT count(*) FROM sqlite_schema');
    return false;
  } catch (error) {
    return sqliteCode(error) === busy;
  } finally {
    probe.close();
  }
}

/** Throws when the connection's file is no longer the one at its path. */
export function checkFileIdentity(place: AccountFileOptions, connection: FileConnection): void {
  if (connection.identity === undefined) return;
  if (fileIdentity(place.path) !== connection.identity) throw new FileMovedError('The file has been moved');
}
