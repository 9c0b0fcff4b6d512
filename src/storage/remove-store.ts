import {existsSync, readdirSync, rmSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {type AccountIdentity, identityKey} from '#state/account-store.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import {busyCode, Database, realPath, sqliteCode, withOpeningLock} from './database.ts';
import {formatOf, migrate, migrations} from './migrations.ts';
import {isUnusableFileError} from './store-failures.ts';
import {addRows, type SalvagedRows, salvageRows} from './stored-rows.ts';

/** What only the database of an account has, so that it is lost when the database is removed. */
export interface UnsentData {
  readonly messages: number;
  /** Those that the server does not have in this version. */
  readonly drafts: number;
  readonly changes: number;
}

const nothingUnsent: UnsentData = {messages: 0, drafts: 0, changes: 0};

/** Returns what the database of an account has and the server does not; `inUse` while another process has it open. */
export function unsentDataOf(path: string): UnsentData | 'inUse' | 'damaged' {
  return existsSync(path) ? withOpeningLock(realPath(path), () => readUnsent(realPath(path))) : nothingUnsent;
}

function readUnsent(path: string): UnsentData | 'inUse' | 'damaged' {
  let db: Database | undefined;
  try {
    db = new Database(path);
    // Leaving the WAL mode needs the file alone, and fails while any other connection exists.
    db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
    if (formatOf(db) === 0) return nothingUnsent;
    const [messages = 0, drafts = 0, changes = 0] = [
      "SELECT count(*) FROM outbox WHERE status <> 'sent'",
      `SELECT count(*) FROM draft WHERE body ->> 'status' = 'dirty' OR (body ->> 'status' <> 'deleted' AND body ->> 'base' IS NULL)`,
      'SELECT count(*) FROM deed',
    ].map((sql) => db?.number(sql));
    return {messages, drafts, changes};
  } catch (error) {
    if (sqliteCode(error) === busyCode) return 'inUse';
    if (isUnusableFileError(error)) return 'damaged';
    throw error;
  } finally {
    db?.close();
  }
}

/**
 * Deletes the database of an account with its companion files and the copies that were set aside. Returns false, and deletes
 * nothing, while another process has it open.
 */
export function removeStore(path: string): boolean {
  const file = realPath(path);
  const folder = dirname(file);
  if (!existsSync(folder)) return true;
  const isRemoved = withOpeningLock(file, () => {
    if (existsSync(file) && readUnsent(file) === 'inUse') return false;
    for (const name of readdirSync(folder)) {
      const isOfStore = name.startsWith(basename(file)) && !name.startsWith(`${basename(file)}.lock`);
      if (isOfStore) rmSync(join(folder, name));
    }
    return true;
  });
  // The lock was needed as long as there was something to lock. Its name has the e-mail address.
  if (isRemoved) for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}.lock${suffix}`, {force: true});
  return isRemoved;
}

/** Returns whose data is in this database; undefined if it is missing, unreadable, or never met its server. */
export function identityOf(path: string): AccountIdentity | undefined {
  if (!existsSync(path)) return undefined;
  let db: Database | undefined;
  try {
    db = new Database(path, 'read');
    const saved = parsedJson(db.first('SELECT body FROM note WHERE name = ?', identityKey)?.body);
    if (!isRecord(saved)) return undefined;
    const {url, organization, userId} = saved;
    const isValid = typeof url === 'string' && typeof organization === 'string' && typeof userId === 'number';
    return isValid ? {url, organization, userId} : undefined;
  } catch {
    // A damaged file is reported when its own account is opened.
    return undefined;
  } finally {
    db?.close();
  }
}

/**
 * Adds the messages, drafts, changes and values that only this machine has to another database of the same account, and
 * then deletes the file: the rest of it are copies of the server's data. Returns false, and changes nothing, while another process has it open.
 */
export function takeAlong(from: string, to: string): boolean {
  const rows = withOpeningLock(realPath(from), () => readAlone(from));
  if (rows === undefined) return false;
  withOpeningLock(realPath(to), () => {
    const db = new Database(to);
    try {
      migrate(db, migrations);
      addRows(db, rows);
    } finally {
      db.close();
    }
  });
  // Entries keep their ids, so a crash before this line repeats nothing at the next start.
  return removeStore(from);
}

/** Returns the user's rows; undefined while another process has the file open. */
function readAlone(path: string): SalvagedRows | undefined {
  const db = new Database(path);
  try {
    // Leaving the WAL mode fails while any other connection exists.
    db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
    return salvageRows(db);
  } catch (error) {
    if (sqliteCode(error) === busyCode) return undefined;
    throw error;
  } finally {
    db.close();
  }
}
