import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {copyReadOnly, Database, isDamaged} from '#server/db/database.ts';
import {accessError} from '#std/access-error.ts';

/**
 * Calls the body with a database that SQLite can open: the file itself, or a copy of it where this process may only read it. SQLite
 * writes to read: it locks, and it merges its log. The copy is made in a new folder in `into`, or in that of temporary files.
 */
export async function withOpenableDatabase<T>(
  path: string,
  into: string | undefined,
  body: (path: string, isCopy: boolean) => Promise<T>,
): Promise<T> {
  if (accessError(path) === undefined) return body(path, false);
  const folder = into === undefined ? mkdtempSync(join(tmpdir(), 'parley-')) : mkdtempSync(join(into, 'copy-'));
  try {
    const copy = join(folder, 'parley.db');
    copyReadOnly(path, copy);
    return await body(copy, true);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** Returns the schema of a database, after copying it if there is a target. One that SQLite cannot open is copied as it is. */
export async function copyDatabase(path: string, target: string | undefined): Promise<number> {
  try {
    const db = new Database(path, {asFound: true});
    try {
      const {schema} = db;
      if (target !== undefined) await db.copyTo(target);
      return schema;
    } finally {
      db.close();
    }
  } catch (error) {
    if (!isDamaged(error)) throw error;
    if (target !== undefined) copyReadOnly(path, target);
    return 0;
  }
}
