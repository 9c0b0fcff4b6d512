import {Database} from './database.ts';
import {createPrivateFile} from './database-files.ts';

/**
 * One program at a time opens, replaces or sets aside the file at `path`. The lock is SQLite's own on an empty file beside
 * it, so the kernel gives it back however its holder ends. The empty file stays: deleting it would let two hold the lock.
 */
export function withOpeningLock<T>(path: string, body: () => T): T {
  const lockPath = `${path}.lock`;
  createPrivateFile(lockPath);
  const lock = new Database(lockPath);
  try {
    // Rather a slow start on a busy machine than one that keeps nothing.
    lock.exec('PRAGMA busy_timeout = 15000; BEGIN EXCLUSIVE');
    return body();
  } finally {
    lock.close();
  }
}
