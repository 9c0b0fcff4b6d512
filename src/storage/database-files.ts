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

/** SQLite keeps up to three files; they live, move and die together. */
const parts = ['', '-wal', '-shm'];

/** Where the file really is: SQLite puts its companions beside the target of a link, so must we. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/**
 * Makes the file and its directory if need be, for the owner's eyes only whatever the umask. SQLite gives its companions
 * the mode of the file, so it has to be right before the first write. Directories that were there already stay as they
 * are: one of them may be somebody's home.
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
  for (const part of parts) {
    const stats = statSync(path + part, {throwIfNoEntry: false});
    if (stats === undefined || !stats.isFile() || (stats.mode & 0o777) === 0o600) continue;
    try {
      chmodSync(path + part, 0o600);
    } catch {
      // Somebody else's file; whether it can be used shows soon enough.
    }
  }
}

/** Tells one file from another at the same path; undefined when there is none. */
export function fileIdentity(path: string): string | undefined {
  const stats = statSync(path, {bigint: true, throwIfNoEntry: false});
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

/**
 * The file itself goes first: whoever is cut off halfway leaves a stale log without a file, which SQLite discards; a file
 * without its log would lack what was written last.
 */
export function moveDatabaseFiles(from: string, to: string): void {
  for (const part of parts) {
    if (existsSync(from + part)) renameSync(from + part, to + part);
  }
}

export function deleteDatabaseFiles(path: string): void {
  for (const part of parts) rmSync(path + part, {force: true});
}

/** Under a name that says why and when. */
export function setFileAside(path: string, why: 'corrupt' | 'newer', now: number): string {
  const time = new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  let aside = `${path}.${why}-${time}`;
  for (let serial = 2; existsSync(aside); serial++) aside = `${path}.${why}-${time}-${serial}`;
  moveDatabaseFiles(path, aside);
  return aside;
}
