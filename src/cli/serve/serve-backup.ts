import {existsSync, readdirSync, renameSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {acquireServerLease} from '#cli/embedded/client-socket.ts';
import {type CliIo, exitCodes, PlainFailure, printNotice, UsageError} from '#cli/io.ts';
import type {VerbResult, VerbRunner} from '#cli/verbs/verb-table.ts';
import {makeBackup, restoreBackup, verifyBackup} from '#server/backup/backup.ts';
import {fillDirectory, removeDirectory} from '#server/backup/unfinished-directory.ts';
import {newestSchema} from '#server/db/migrate.ts';
import {errorText} from '#std/error-text.ts';
import {existingDataDirectory, requireSecret} from './data-directory.ts';
import {failureAfter} from './data-failure.ts';
import {fillDataDirectory, newDataDirectory, withProgress} from './data-progress.ts';
import {type DatabaseSnapshot, noteBackup, withSnapshot} from './operator.ts';

/** Makes a new backup in the folder OUT, beside the earlier ones, or checks one that exists. */
export const serveBackup: VerbRunner<'serve backup'> = async ({values, words: [out]}, io, signal) => {
  const {verify: named} = values;
  // “--verify BACKUP” was the only form once.
  if (named !== undefined && values.data === undefined) {
    const checked = named === '' ? out : named;
    if (checked === undefined) throw new UsageError('Name the backup to check, or a folder of backups.');
    return verify(checked, io, signal);
  }
  if (out === undefined) throw new UsageError('Name the folder of the backups.');
  const directory = existingDataDirectory(values.data, io);
  const folder = resolve(io.cwd, out);
  const started = io.clock.monotonic();
  const path = join(folder, nameOf(io.clock.now()));
  const placeOf = ({problems}: {readonly problems: readonly string[]}) =>
    problems.length === 0 ? path : path + damagedEnd;
  const report = await withProgress(io, failureAfter('Nothing was written.'), async ({onFile, onCopy}) => {
    requireSecret(directory);
    const earlier = backupsIn(folder);
    if (earlier.length === 0) requireOnlyBackups(folder);
    const previous = values.full ? undefined : earlier.at(-1);
    const fill = (unfinished: string) => {
      const copy = (database: DatabaseSnapshot) =>
        makeBackup({directory, database, previous}, unfinished, {signal, onFile});
      return withSnapshot(directory, io, onCopy, copy, unfinished);
    };
    return fillDirectory(path, '', fill, (text) => printNotice(io, text), placeOf);
  });
  const seconds = (io.clock.monotonic() - started) / 1000;
  const made = placeOf(report);
  if (report.problems.length > 0) {
    for (const problem of report.problems) printNotice(io, problem);
    printNotice(io, `The data is damaged, and so is the copy in ${made}. No earlier backup was removed.`);
    const json = {backup: made, ...report, seconds, removed: []};
    return {json, text: undefined, exitCode: exitCodes.failed};
  }
  if (named !== undefined) {
    const {exitCode, text} = await verify(path, io, signal);
    if (exitCode !== exitCodes.ok) {
      renameSync(path, path + damagedEnd);
      throw new PlainFailure(`${text}\nThe backup is now ${path}${damagedEnd}. No earlier backup was removed.`);
    }
  }
  const fact = {path, taken_at: report.takenAt, verified: named !== undefined};
  await noteBackup(directory, io, fact).catch((error: unknown) => {
    printNotice(io, `The backup is made, but “parley serve status” does not know of it: ${errorText(error)}.`);
  });
  // Another run may have finished or removed backups meanwhile.
  const others = backupsIn(folder).filter((each) => each !== path);
  const old = values.keep === undefined ? [] : others.slice(0, Math.max(0, others.length + 1 - values.keep));
  const removed = old.filter(removeDirectory);
  return {
    json: {backup: path, ...report, seconds, removed},
    text: `Backed up to ${path}: ${backupSize(report)}, ${report.linkedFiles} unchanged, ${seconds.toFixed(1)} s.${named === undefined ? '' : ' It is whole.'}`,
  };
};

/** Throws for a folder with other files, which would not be told from backups. */
function requireOnlyBackups(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).some((name) => !/\.(partial|damaged)$/.test(name))) {
    throw new PlainFailure(`${folder} has other files than backups. Choose a new folder.`);
  }
}

/** Checks a backup, or the newest one of a folder of backups. */
async function verify(word: string, io: CliIo, signal: AbortSignal): Promise<VerbResult> {
  const from = chosenBackup(resolve(io.cwd, word), io);
  const report = await withProgress(io, failureAfter('The backup was not checked.'), ({onFile}) =>
    verifyBackup(from, {signal, onFile}),
  );
  const whole = report.problems.length === 0;
  const text = whole
    ? `The backup ${from} of ${report.takenAt} is whole: ${backupSize(report)}.`
    : report.problems.join('\n');
  const exitCode = whole ? exitCodes.ok : exitCodes.failed;
  return {json: {backup: from, whole, ...report}, text, exitCode};
}

/** Returns the backup that a path names: itself, or the newest one in it. Says what is to be known about damaged ones. */
function chosenBackup(path: string, io: CliIo): string {
  const newest = backupsIn(path).at(-1);
  const damaged = backupsIn(path, damagedEnd).at(-1);
  if (damaged !== undefined && damaged > (newest ?? '')) {
    printNotice(io, `The newest backup, ${damaged}, was damaged when it was made, and is used only if you name it.`);
  }
  if (newest === undefined && path.endsWith(damagedEnd)) printNotice(io, `${path} was damaged when it was made.`);
  return newest ?? path;
}

/** Puts a backup into a new data directory, or the newest one of a folder of backups. */
export const serveRestore: VerbRunner<'serve restore'> = async ({values, words: [word = '']}, io, signal) => {
  await refuseServed(values.data, io);
  const directory = newDataDirectory(values.data, io, 'A backup is restored into a new directory.');
  const from = chosenBackup(resolve(io.cwd, word), io);
  const report = await withProgress(io, failureAfter('Nothing was restored.'), ({onFile}) =>
    fillDataDirectory(directory, io, (unfinished) => restoreBackup(from, unfinished, {signal, onFile})),
  );
  const {takenAt, schema} = report;
  const isOld = schema < newestSchema();
  const change = isOld ? `\nIts schema is ${schema}; the server changes it to ${newestSchema()} when it starts.` : '';
  return {
    json: {data: directory, backup: from, ...report},
    text: `Restored the backup of ${takenAt} to ${directory}: ${backupSize(report)}.${change}`,
  };
};

/** Throws if a server uses the directory: what it has in memory would be lost or mixed with the backup. */
async function refuseServed(data: string | undefined, io: CliIo): Promise<void> {
  if (data === undefined || !existsSync(resolve(io.cwd, data))) return;
  const lease = await acquireServerLease(resolve(io.cwd, data), io.clock);
  if (lease === undefined) return;
  lease.release();
  throw new PlainFailure(
    `A server uses ${resolve(io.cwd, data)}. Restore into a new directory, stop the server, and start it with the new one: --data NEW.`,
  );
}

/** Names sort by time. */
function nameOf(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]/g, '');
}

/** The end of the names of backups that were damaged when they were made. They are neither counted nor restored unless named. */
const damagedEnd = '.damaged';

/** Returns the complete backups in a folder, oldest first. */
function backupsIn(folder: string, end = ''): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^\d{8}T\d{6}\.\d{3}Z(|\.damaged)$/.test(name));
  const wanted = names.filter((name) => name.endsWith(damagedEnd) === (end === damagedEnd));
  return wanted.sort().map((name) => join(folder, name));
}

function backupSize({files, bytes}: {readonly files: number; readonly bytes: number}): string {
  return `${files} files, ${(bytes / 1e6).toFixed(1)} MB`;
}
