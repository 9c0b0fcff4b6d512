import {closeSync, openSync, renameSync, rmSync, statfsSync, statSync} from 'node:fs';
import {dirname} from 'node:path';

/** The error when there is no space for a copy and the conversion. Nothing was changed. */
export class NoSpaceToConvert extends Error {
  override readonly name = 'NoSpaceToConvert';
  readonly code = 'ENOSPC';
}

/**
 * Keeps a copy of an SQLite file beside it, before its schema is converted to `version`, and returns the copy's path. Throws
 * if the disk has no space for the copy and for a conversion that writes everything anew.
 */
export function keepDatabaseCopy(db: {exec(sql: string): void}, path: string, version: number): string {
  const copy = `${path}.before-v${version}`;
  const unfinished = `${copy}.partial`;
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, {throwIfNoEntry: false})?.size ?? 0);
  const needed = 2 * sizes.reduce((sum, size) => sum + size, 0);
  const {bavail, bsize} = statfsSync(dirname(path));
  if (bavail * bsize < needed) {
    throw new NoSpaceToConvert(
      `${path} was written by an older Parley and must be converted, with a copy of it kept. That needs ${megabytes(needed)} MB, and ${megabytes(bavail * bsize)} MB are free. Free some space; nothing was changed.`,
    );
  }
  rmSync(unfinished, {force: true});
  // SQLite writes into the file, which is empty and private, and syncs it as it does the database.
  closeSync(openSync(unfinished, 'wx', 0o600));
  db.exec(`VACUUM INTO '${unfinished.replaceAll("'", "''")}'`);
  renameSync(unfinished, copy);
  return copy;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
