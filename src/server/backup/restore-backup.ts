import {join} from 'node:path';
import {Database, isDatabaseError} from '#server/db/database.ts';
import {NewerSchema, newestSchema} from '#server/db/migrate.ts';
import {mapAhead} from '#std/map-ahead.ts';
import {filesAtOnce} from './make-backup.ts';
import {BackupDamaged, type BackupEntry, type BackupHeader, copyHashed, isEntry, readManifest} from './manifest.ts';

interface RestoreReport {
  readonly files: number;
  readonly bytes: number;
  readonly schema: number;
  readonly takenAt: string;
}

/**
 * Copies a backup into an empty directory and checks each file on the way. Throws `BackupDamaged` or `NewerSchema` if it
 * cannot be used; the caller then removes the directory.
 */
export async function restoreBackup(
  backup: string,
  target: string,
  {signal, onFile}: {readonly signal: AbortSignal; readonly onFile: (count: number) => void},
): Promise<RestoreReport> {
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
  for (const path of needed) throw new BackupDamaged(`${path} is missing in the backup.`);
  checkDatabase(join(target, 'parley.db'), about.schema);
  return {files, bytes, schema: about.schema, takenAt: about.taken_at};
}

async function copyChecked({path, size, sha256}: BackupEntry, from: string, to: string, signal: AbortSignal) {
  const copied = await copyHashed(join(from, path), join(to, path), signal).catch((error: unknown) => {
    throw isMissing(error) ? new BackupDamaged(`${path} is missing in the backup.`) : error;
  });
  if (copied.size !== size || copied.sha256 !== sha256) {
    throw new BackupDamaged(`${path} is damaged: it is not the file that was backed up.`);
  }
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
