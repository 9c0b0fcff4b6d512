import {rmSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {Database, isDamaged} from '#server/db/database.ts';
import {listFiles} from '#server/uploads/file-store.ts';
import {errorText} from '#std/error-text.ts';
import {copyHashed, type FileFacts, hashFile, isSafePath, peopleFolder} from './manifest.ts';
import {copyDatabase, withOpenableDatabase} from './openable-database.ts';

const databaseEnd = '.db';

/** Returns the folder with the drafts, the outbox, the undo history and the settings that a person has over SSH. */
export function personFolder(directory: string, userId: number): string {
  return join(directory, peopleFolder, String(userId));
}

/**
 * Yields the paths in a data directory of what people have over SSH, or one of them, without what can be fetched again and what SQLite
 * makes beside its files. Sessions write there while this runs.
 */
export async function* personFolderFiles(directory: string, userId?: number): AsyncGenerator<string> {
  for await (const name of listFiles(join(directory, peopleFolder))) {
    const [id = '', ...rest] = name.split('/');
    const isMeant = /^\d+$/.test(id) && (userId === undefined || id === String(userId));
    const isKept = rest[0] !== '.cache' && !/-(?:wal|shm|journal)$|\.lock$/.test(name);
    const path = `${peopleFolder}/${name}`;
    if (isMeant && isKept && isSafePath(path)) yield path;
  }
}

/** Copies a file of a person: a database as it is at one moment, although a session may be changing it. */
export async function copyPersonFile(from: string, to: string, signal?: AbortSignal): Promise<FileFacts> {
  if (!from.endsWith(databaseEnd)) return copyHashed(from, to, signal);
  await mkdir(dirname(to), {recursive: true, mode: 0o700});
  await withOpenableDatabase(from, undefined, (path) => copyDatabase(path, to));
  return hashFile(to, signal);
}

/** Yields a sentence for each damaged database of a person. */
export async function* personProblems(directory: string): AsyncGenerator<string> {
  for await (const path of personFolderFiles(directory)) {
    const file = join(directory, path);
    if (!file.endsWith(databaseEnd)) continue;
    const problem = await withOpenableDatabase(file, undefined, async (opened) => damageOf(opened));
    if (problem !== undefined) yield `${path} is damaged: ${problem}. It has what one person wrote over SSH.`;
  }
}

function damageOf(path: string): string | undefined {
  try {
    const db = new Database(path, {asFound: true});
    try {
      const [found = ''] = db.pluck<string>('PRAGMA quick_check(1)');
      return found === 'ok' ? undefined : found.split('\n')[0];
    } finally {
      db.close();
    }
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return errorText(error);
  }
}

/** Removes what a person has over SSH. */
export function removePersonFolder(directory: string, userId: number): void {
  rmSync(personFolder(directory, userId), {recursive: true, force: true});
}
