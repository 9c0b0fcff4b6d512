import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {Database} from './database.ts';

/** SQLite uses up to three files, which are moved and deleted together. */
const suffixes = ['', '-wal', '-shm'];

/** Resolves symbolic links: SQLite puts its companion files beside the target of a link, so this code must too. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/**
 * Creates the file and its directory, readable by the owner only, whatever the umask. SQLite gives its
 * companion files the mode of the file, so it must be right before the first write. Existing directories keep
 * their mode: one of them may be the home directory.
 */
export function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), {recursive: true, mode: 0o700});
  if (existsSync(path)) {
    repairModes(path);
    return;
  }
  const file = openSync(path, 'a', 0o600);
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

function repairModes(path: string): void {
  for (const suffix of suffixes) {
    const stats = statSync(path + suffix, {throwIfNoEntry: false});
    if (stats === undefined || !stats.isFile() || (stats.mode & 0o777) === 0o600) continue;
    try {
      chmodSync(path + suffix, 0o600);
    } catch {
      // Another user's file; the next access shows whether it is usable.
    }
  }
}

/** Returns a string that identifies the file at a path; undefined when there is none. */
export function fileIdentity(path: string): string | undefined {
  const stats = statSync(path, {bigint: true, throwIfNoEntry: false});
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

/**
 * Moves the main file first: an interruption then leaves a stale log without a file, which SQLite discards; a
 * file without its log would lack the latest writes.
 */
function moveDatabaseFiles(from: string, to: string): void {
  for (const suffix of suffixes) {
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  }
}

export function deleteDatabaseFiles(path: string): void {
  for (const suffix of suffixes) rmSync(path + suffix, {force: true});
}

/** Renames the file to a name that contains the reason and the time. */
export function setFileAside(path: string, reason: 'corrupt' | 'newer', now: number): string {
  const time = new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  let aside = `${path}.${reason}-${time}`;
  for (let serial = 2; existsSync(aside); serial++) aside = `${path}.${reason}-${time}-${serial}`;
  moveDatabaseFiles(path, aside);
  return aside;
}

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
