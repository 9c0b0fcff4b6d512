import {existsSync, readdirSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {PlainFailure} from '#cli/failures.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import {makeBackup} from '#server/backup/make-backup.ts';
import {BackupDamaged} from '#server/backup/manifest.ts';
import {restoreBackup} from '#server/backup/restore-backup.ts';
import {fillDirectory, removeDirectory} from '#server/backup/unfinished-directory.ts';
import {DatabaseInUse, isDatabaseError, isDiskFull} from '#server/db/database.ts';
import {NewerSchema, newestSchema} from '#server/db/migrate.ts';
import {errorText} from '#std/error-text.ts';
import {existingDataDirectory} from './data-argument.ts';
import {withSnapshot} from './operator.ts';
import {progressLine} from './progress-line.ts';

/** Makes a new backup in the folder OUT, beside the earlier ones. */
export const backup: VerbRunner<'serve backup'> = async ({values, words: [out = '']}, io, signal) => {
  const directory = existingDataDirectory(values.data, io);
  const folder = resolve(io.cwd, out);
  const earlier = backupsIn(folder);
  if (earlier.length === 0 && existsSync(folder) && readdirSync(folder).some((name) => !/\.partial$/.test(name))) {
    throw new PlainFailure(`${folder} has other files than backups. Choose a new folder.`);
  }
  const started = io.clock.monotonic();
  const path = join(folder, nameOf(io.clock.now()));
  const show = progressLine(io);
  const report = await withFailures('backup', () =>
    fillDirectory(
      path,
      '',
      (unfinished) =>
        withSnapshot(
          directory,
          io,
          (fraction) => show(`Database: ${Math.floor(fraction * 100)} %`),
          (database) => {
            const previous = values.full ? undefined : earlier.at(-1);
            return makeBackup({directory, database, previous}, unfinished, {
              signal,
              onFile: (count) => show(`Files: ${count}`),
            });
          },
        ),
      (text) => printNotice(io, text),
    ),
  ).finally(() => show(''));
  const seconds = (io.clock.monotonic() - started) / 1000;
  const removed = values.keep === undefined ? [] : earlier.slice(0, Math.max(0, earlier.length + 1 - values.keep));
  for (const old of removed) removeDirectory(old);
  if (values.json) printJson(io, {backup: path, ...report, seconds, removed});
  else
    print(io, `Backed up to ${path}: ${sizeText(report)}, ${report.linkedFiles} unchanged, ${seconds.toFixed(1)} s.`);
  return undefined;
};

/** Puts a backup into a new data directory, or the newest one of a folder of backups. */
export const restore: VerbRunner<'serve restore'> = async ({values, words: [word = '']}, io, signal) => {
  if (values.data === undefined) throw new UsageError('Name the new data directory with --data DIR.');
  const directory = resolve(io.cwd, values.data);
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    throw new PlainFailure(`${directory} is not empty. A backup is restored into a new directory.`);
  }
  const source = resolve(io.cwd, word);
  const from = backupsIn(source).at(-1) ?? source;
  const show = progressLine(io);
  const onFile = (count: number) => show(`Files: ${count}`);
  const report = await withFailures('restore', () =>
    fillDirectory(
      directory,
      `${basename(directory)}.`,
      (unfinished) => restoreBackup(from, unfinished, {signal, onFile}),
      (text) => printNotice(io, text),
    ),
  ).finally(() => show(''));
  if (values.json) printJson(io, {data: directory, backup: from, ...report});
  else {
    print(io, `Restored the backup of ${report.takenAt} to ${directory}: ${sizeText(report)}.`);
    if (report.schema < newestSchema()) {
      print(io, `Its schema is ${report.schema}; the server changes it to ${newestSchema()} when it starts.`);
    }
  }
  return undefined;
};

/** Names sort by time. */
function nameOf(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]/g, '');
}

/** Returns the complete backups in a folder, oldest first. */
function backupsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^\d{8}T\d{6}\.\d{3}Z$/.test(name));
  return names.sort().map((name) => join(folder, name));
}

function sizeText({files, bytes}: {readonly files: number; readonly bytes: number}): string {
  return `${files} files, ${(bytes / 1e6).toFixed(1)} MB`;
}

/** Turns the expected errors of reading and writing many files into one sentence. */
async function withFailures<T>(what: 'backup' | 'restore', body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof BackupDamaged || error instanceof NewerSchema) {
      throw new PlainFailure(what === 'restore' ? `${error.message} Nothing was restored.` : error.message);
    }
    if (error instanceof DatabaseInUse) throw new PlainFailure(`${error.message} It does not respond: try again.`);
    const isSystemError = error instanceof Error && 'syscall' in error;
    if (!isSystemError && !isDatabaseError(error)) throw error;
    const reason = isDiskFull(error) ? 'the disk is full' : errorText(error);
    throw new PlainFailure(`The ${what} failed: ${reason}. Nothing was written.`);
  }
}
