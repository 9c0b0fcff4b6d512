import {Database} from './database.ts';
import {createPrivateFile} from './database-files.ts';

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
