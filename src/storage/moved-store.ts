import {existsSync} from 'node:fs';
import {type AccountIdentity, identityKey} from '#state/account-store.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import {Database, sqliteCode} from './database.ts';
import {realPath} from './database-files.ts';
import {migrate, migrations} from './migrations.ts';
import {withOpeningLock} from './opening-lock.ts';
import {busyCode, removeStore} from './remove-store.ts';
import {addRows, type SalvagedRows, salvageRows} from './salvage.ts';

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
