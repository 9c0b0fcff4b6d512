import {link, mkdir, rename, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {checkData} from '#server/check/check-data.ts';
import {Database, isDatabaseError} from '#server/db/database.ts';
import {NewerSchema, newestSchema} from '#server/db/migrate.ts';
import {listFiles} from '#server/uploads/file-store.ts';
import {mapAhead} from '#std/map-ahead.ts';
import {
  BackupDamaged,
  type BackupEntry,
  type BackupHeader,
  copyHashed,
  type FileFacts,
  hashFile,
  hostKey,
  isEntry,
  ManifestWriter,
  readManifest,
} from './manifest.ts';
import {copyDatabase, withOpenableDatabase} from './openable-database.ts';
import {copyPersonFile, personFolderFiles} from './person-folders.ts';

interface BackupSource {
  /** The data directory. */
  readonly directory: string;
  readonly database: {readonly path: string; readonly isCopy: boolean; readonly takenAt: number};
  /** An earlier backup in the same file system, whose unchanged files are used again. */
  readonly previous: string | undefined;
}

/** The disk is waited for after each file, so several are copied at the same time. */
const filesAtOnce = 8;

/** Files of the store that are still being received. */
const incoming = /^\.incoming-/;

/**
 * Fills an empty directory with a backup of an organization: its database, secret and files, and their list. Returns what is damaged in
 * it, because the data is.
 */
export async function makeBackup(
  source: BackupSource,
  target: string,
  {signal, onFile}: {readonly signal: AbortSignal; readonly onFile: (count: number) => void},
) {
  const {schema, ...database} = await takeDatabase(source.database, join(target, 'parley.db'), signal);
  const manifest = await ManifestWriter.create(target, {
    schema,
    taken_at: new Date(source.database.takenAt).toISOString(),
  });
  try {
    await manifest.add({path: 'parley.db', ...database});
    const secret = await copyHashed(join(source.directory, 'secret'), join(target, 'secret'), signal);
    await manifest.add({path: 'secret', ...secret});
    const key = await ifThere(copyHashed(join(source.directory, hostKey), join(target, hostKey), signal));
    if (key !== undefined) await manifest.add({path: hostKey, ...key});
    // After the database: what was sent meanwhile is in neither, and nothing is sent twice.
    for await (const path of personFolderFiles(source.directory)) {
      const file = await ifThere(copyPersonFile(join(source.directory, path), join(target, path), signal));
      if (file !== undefined) await manifest.add({path, ...file});
    }
    // The second are the files that the backup has in common with the previous one.
    let [count, linkedFiles] = [0, 0];
    const stored = mapAhead(storedFiles(source), filesAtOnce, async ({path, entry}) => {
      const linked = await linkUnchanged(source, entry, path, target);
      const facts = linked ?? (await copyHashed(join(source.directory, path), join(target, path), signal));
      return {path, isLinked: linked !== undefined, ...facts};
    });
    for await (const {isLinked, ...file} of stored) {
      await manifest.add(file);
      if (isLinked) linkedFiles += 1;
      onFile(++count);
    }
    const totals = await manifest.finish();
    const takenAt = new Date(source.database.takenAt).toISOString();
    return {schema, takenAt, linkedFiles, ...totals, problems: await damageIn(join(target, 'parley.db'), target)};
  } finally {
    await manifest.close();
  }
}

/** Returns undefined for a file that does not exist. */
function ifThere<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
}

async function damageIn(database: string, directory: string): Promise<string[]> {
  return Array.fromAsync(checkData({database, directory, takenAt: 0, damageOnly: true}));
}

/** Yields the files of the store, with what the previous backup says about them. */
async function* storedFiles({directory, previous}: BackupSource) {
  const lines = readManifest(previous ?? '');
  let isAtEnd = previous === undefined;
  let next: BackupEntry | undefined;
  /** Reads the next file of the earlier backup. A damaged one is not used: its files are copied again. */
  async function advance(): Promise<void> {
    const {value, done} = await lines.next().catch(() => ({value: undefined, done: true}));
    isAtEnd = done === true;
    next = value !== undefined && isEntry(value) && value.path.startsWith('files/') ? value : undefined;
  }
  for await (const name of listFiles(join(directory, 'files'))) {
    if (incoming.test(name)) continue;
    const path = `files/${name}`;
    // Both lists have the same order.
    while (!isAtEnd && (next === undefined || comparePaths(next.path, path) < 0)) await advance();
    yield {path, entry: next?.path === path ? next : undefined};
  }
}

/** Puts the copy of the database in its place, or makes one. */
async function takeDatabase(
  {path, isCopy}: BackupSource['database'],
  target: string,
  signal: AbortSignal,
): Promise<FileFacts & {schema: number}> {
  const schema = await copyDatabase(path, isCopy ? undefined : target);
  if (!isCopy) return {schema, ...(await hashFile(target, signal))};
  const isMoved = await rename(path, target).then(
    () => true,
    () => false,
  );
  return {schema, ...(isMoved ? await hashFile(target, signal) : await copyHashed(path, target, signal))};
}

/**
 * Makes a hard link to the file of the previous backup. Files of the store never change under their name, so the size is
 * enough to compare. Returns undefined if the file has to be copied.
 */
async function linkUnchanged(
  {directory, previous}: BackupSource,
  entry: BackupEntry | undefined,
  path: string,
  target: string,
): Promise<FileFacts | undefined> {
  if (entry === undefined || previous === undefined) return undefined;
  const [now, then] = await Promise.all([stat(join(directory, path)), stat(join(previous, path))].map(sizeOrNothing));
  if (now !== entry.size || then !== entry.size) return undefined;
  try {
    await mkdir(dirname(join(target, path)), {recursive: true, mode: 0o700});
    await link(join(previous, path), join(target, path));
    return {size: entry.size, sha256: entry.sha256};
  } catch {
    // Not every file system has links, and some limit their number.
    return undefined;
  }
}

function sizeOrNothing(info: Promise<{readonly size: number}>): Promise<number | undefined> {
  return info.then(
    ({size}) => size,
    () => undefined,
  );
}

/** Compares folder by folder, as `listFiles` sorts. */
function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (const [at, part] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    if (part !== other) return part < other ? -1 : 1;
  }
  return left.length - right.length;
}

/**
 * Copies a backup into an empty directory and checks each file on the way. Throws `BackupDamaged` or `NewerSchema` if it
 * cannot be used; the caller then removes the directory.
 */
export async function restoreBackup(
  backup: string,
  target: string,
  {signal, onFile}: {readonly signal: AbortSignal; readonly onFile: (count: number) => void},
) {
  const needed = new Set(['parley.db', 'secret']);
  let about: BackupHeader = {schema: 0, taken_at: ''};
  let [files, bytes] = [0, 0];
  const copied = mapAhead(readManifest(backup), filesAtOnce, async (line) => {
    if (isEntry(line)) await copyChecked(line, backup, target, signal);
    return line;
  });
  for await (const line of copied) {
    if (isEntry(line)) {
      needed.delete(line.path);
      bytes += line.size;
      onFile(++files);
    } else {
      about = line;
      if (about.schema > newestSchema()) throw new NewerSchema(about.schema);
    }
  }
  for (const path of needed) throw new BackupDamaged(missingText(path));
  checkDatabase(join(target, 'parley.db'), about.schema);
  return {files, bytes, schema: about.schema, takenAt: about.taken_at};
}

async function copyChecked(entry: BackupEntry, from: string, to: string, signal: AbortSignal) {
  const {path} = entry;
  const problem = await problemOf(entry, copyHashed(join(from, path), join(to, path), signal));
  if (problem !== undefined) throw new BackupDamaged(problem);
}

/**
 * Compares the files of a backup with its list, and checks its database and whether its files are all that the database names. Returns the
 * problems, and what the list says.
 */
export async function verifyBackup(
  backup: string,
  {signal, onFile}: {readonly signal: AbortSignal; readonly onFile: (count: number) => void},
) {
  const needed = new Set(['parley.db', 'secret']);
  const problems: string[] = [];
  let [files, bytes, takenAt] = [0, 0, ''];
  try {
    const hashed = mapAhead(readManifest(backup), filesAtOnce, async (line) => ({
      line,
      problem: isEntry(line) ? await problemOf(line, hashFile(join(backup, line.path), signal)) : undefined,
    }));
    for await (const {line, problem} of hashed) {
      if (problem !== undefined) problems.push(problem);
      if (!isEntry(line)) {
        takenAt = line.taken_at;
        continue;
      }
      needed.delete(line.path);
      bytes += line.size;
      onFile(++files);
    }
    problems.push(...[...needed].map(missingText));
  } catch (error) {
    if (!(error instanceof BackupDamaged)) throw error;
    problems.push(error.message);
  }
  // Of a damaged list, the database is not of interest.
  const damage =
    problems.length > 0
      ? []
      : await withOpenableDatabase(join(backup, 'parley.db'), undefined, (database) => damageIn(database, backup));
  return {files, bytes, takenAt, problems: [...problems, ...damage]};
}

/** Returns how a file differs from its entry in the list; undefined if it does not. */
async function problemOf({path, size, sha256}: BackupEntry, read: Promise<FileFacts>): Promise<string | undefined> {
  const found = await ifThere(read);
  if (found === undefined) return missingText(path);
  const isSame = found.size === size && found.sha256 === sha256;
  return isSame ? undefined : `${path} is damaged: it is not the file that was backed up.`;
}

function missingText(path: string): string {
  return `${path} is missing in the backup.`;
}

function checkDatabase(path: string, schema: number): void {
  try {
    const db = new Database(path, {asFound: true});
    try {
      const [result] = db.pluck<string>('PRAGMA integrity_check(1)');
      if (result !== 'ok') throw new BackupDamaged(`The database in the backup is damaged: ${result}.`);
      if (db.schema !== schema)
        throw new BackupDamaged('The database in the backup has another schema than its list says.');
    } finally {
      db.close();
    }
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    throw new BackupDamaged(`The database in the backup is damaged: ${error.message}.`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
