import {existsSync, renameSync, rmSync, statSync} from 'node:fs';
import {basename} from 'node:path';
import {errorText} from '#std/error-text.ts';
import {keepDatabaseCopy} from '#std/keep-database-copy.ts';
import {
  busyCode,
  configureDatabase,
  createPrivateFile,
  Database,
  deleteDatabaseFiles,
  fileIdentity,
  setFileAside,
  sqliteCode,
  withOpeningLock,
} from './database.ts';
import {checkUserDataTables, formatOf, migrate} from './migrations.ts';
import {type AccountFileOptions, FileMovedError, isUnusableFileError, NewerFormatError} from './store-failures.ts';
import {restoreRows, type SalvagedRows, salvageRows, salvageWithoutHeader} from './stored-rows.ts';

export interface FileConnection {
  readonly db: Database;
  readonly identity: string | undefined;
}

interface OpenedConnection extends FileConnection {
  /** A message for the user. */
  readonly notice: string | undefined;
}

/** Opens or creates the file, or replaces an unusable one. Throws when the disk allows none of these. */
export function openAccountFile(options: AccountFileOptions): OpenedConnection {
  return withOpeningLock(options.path, () => openLocked(options, undefined));
}

/** Closes a connection whose file is damaged or was moved, and opens the file to use instead. */
export function reopenAccountFile(
  options: AccountFileOptions,
  previous: FileConnection,
  isDamaged: boolean,
): OpenedConnection {
  return withOpeningLock(options.path, () => {
    const identity = fileIdentity(options.path);
    let notice: string | undefined;
    if (identity === undefined) {
      // The file was deleted while in use: the unsent messages are still readable through the open connection.
      options.log(`${basename(options.path)} was deleted while in use; creating a new one`);
      buildReplacement(options, previous.db);
      completeReplacement(options.path);
    } else if (identity === previous.identity && isDamaged) {
      // Apparent damage may be a table that a newer version has changed.
      if (isNewer(previous.db, options.migrationSteps)) throw new NewerFormatError(true);
      notice = replaceDamaged(options, previous.db);
    }
    previous.db.close();
    return openLocked(options, notice);
  });
}

function openLocked(options: AccountFileOptions, notice: string | undefined): OpenedConnection {
  completeReplacement(options.path);
  createPrivateFile(options.path);
  const db = new Database(options.path);
  try {
    const copy = prepare(db, options);
    const converted = copy && `The saved data of this account was converted. As it was, it is kept in ${copy}.`;
    return {db, identity: fileIdentity(options.path), notice: notice ?? converted};
  } catch (error) {
    // When the new file fails too, the disk is at fault: no second try.
    if (notice !== undefined) {
      db.close();
      throw error;
    }
    return openLocked(options, moveUnusableFile(options, db, error));
  }
}

/** Moves an unusable file out of the way; returns the notice for the user. */
function moveUnusableFile(options: AccountFileOptions, db: Database, error: unknown): string {
  if (isUnusableFileError(error)) {
    options.log(`${basename(options.path)} is damaged: ${errorText(error)}`);
    try {
      return replaceDamaged(options, db);
    } finally {
      db.close();
    }
  }
  db.close();
  if (!(error instanceof NewerFormatError)) throw error;
  if (isInUse(options.path)) throw new NewerFormatError(true);
  const aside = basename(setFileAside(options.path, 'newer', options.clock.now()));
  return `The saved data of this account was written by a newer version of Parley: it was renamed to ${aside}, and a new file was created.`;
}

function isNewer(db: Database, steps: readonly string[]): boolean {
  try {
    return db.number('PRAGMA user_version') > steps.length;
  } catch {
    return false;
  }
}

/**
 * Reads before it writes, so that a foreign file is not modified. Returns the path of the copy if the file had an older
 * format.
 */
function prepare(db: Database, options: AccountFileOptions): string | undefined {
  const format = formatOf(db);
  const newest = options.migrationSteps.length;
  if (format > newest) throw new NewerFormatError(false);
  configureDatabase(db);
  const copy = format > 0 && format < newest ? keepDatabaseCopy(db, options.path, newest) : undefined;
  migrate(db, options.migrationSteps);
  checkUserDataTables(db);
  // A read-only file is not usable.
  db.transaction('normal', () => {});
  return copy;
}

function replaceDamaged(options: AccountFileOptions, db: Database): string {
  // Blocks other processes that still use the file until it has moved; they notice the move afterwards.
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch {
    // Damaged beyond locking, so no other process writes to it either.
  }
  try {
    const salvagedText = buildReplacement(options, db);
    const aside = basename(setFileAside(options.path, 'corrupt', options.clock.now()));
    completeReplacement(options.path);
    return `The saved data of this account was damaged: it was renamed to ${aside}, and a new file was created${salvagedText}.`;
  } finally {
    db.rollBack();
  }
}

/** Completes a replacement, including one whose process died halfway. */
function completeReplacement(path: string): void {
  const replacement = replacementPath(path);
  if (!existsSync(replacement)) return;
  if (existsSync(path)) {
    // It was never used, so it may be incomplete.
    deleteDatabaseFiles(replacement);
    return;
  }
  // A log left here belongs to the file that was moved; SQLite would apply it to the new one.
  deleteDatabaseFiles(path);
  renameSync(replacement, path);
}

/** Returns whether a process has the file open: each one has a shared lock on it in WAL mode. */
function isInUse(path: string): boolean {
  const probe = new Database(path);
  try {
    probe.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE');
    probe.first('SELECT count(*) FROM sqlite_schema');
    return false;
  } catch (error) {
    return sqliteCode(error) === busyCode;
  } finally {
    probe.close();
  }
}

/** Throws when the connection's file is no longer the one at its path. */
export function checkFileIdentity(options: AccountFileOptions, connection: FileConnection): void {
  if (connection.identity === undefined) return;
  if (fileIdentity(options.path) !== connection.identity) throw new FileMovedError('The file has been moved');
}

/** Returns the path where a new file is built before it replaces the old one. */
function replacementPath(path: string): string {
  return `${path}.fresh`;
}

/**
 * Builds a new file beside the old one from the rows that can be saved; an interruption leaves the old one in
 * place. Returns text that names what was saved.
 */
function buildReplacement(options: AccountFileOptions, old: Database): string {
  const path = replacementPath(options.path);
  deleteDatabaseFiles(path);
  const emptyDatabase = openNew(path, options.migrationSteps);
  let salvaged: SalvagedRows | undefined;
  try {
    salvaged = salvageRows(old);
  } finally {
    emptyDatabase.close();
  }
  salvaged ??= salvageWithFreshHeader(options, path);
  if (salvaged !== undefined) {
    const db = openNew(path, options.migrationSteps);
    try {
      restoreRows(db, salvaged);
    } finally {
      db.close();
    }
  }
  const log = statSync(`${path}-wal`, {throwIfNoEntry: false});
  if (log !== undefined && log.size > 0) throw new Error('The new file could not be completed');
  for (const part of ['-wal', '-shm']) rmSync(path + part, {force: true});
  return salvagedText(salvaged);
}

function openNew(path: string, steps: readonly string[]): Database {
  createPrivateFile(path);
  const db = new Database(path);
  try {
    configureDatabase(db);
    migrate(db, steps);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function salvageWithFreshHeader(options: AccountFileOptions, emptyPath: string): SalvagedRows | undefined {
  const scratchPath = `${options.path}.scratch`;
  try {
    deleteDatabaseFiles(scratchPath);
    createPrivateFile(scratchPath);
    return salvageWithoutHeader(options.path, emptyPath, scratchPath);
  } catch (error) {
    options.log(`Nothing could be recovered from the damaged file: ${errorText(error)}`);
    return undefined;
  } finally {
    deleteDatabaseFiles(scratchPath);
  }
}

function salvagedText(salvaged: SalvagedRows | undefined): string {
  if (salvaged === undefined) return '';
  const counts = [[salvaged.outbox.length, 'unsent message'] as const, [salvaged.draft.length, 'draft'] as const]
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`);
  return counts.length === 0 ? '' : ` with ${counts.join(' and ')}`;
}
