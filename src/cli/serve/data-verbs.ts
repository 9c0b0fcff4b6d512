import {existsSync, readdirSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {type CliIo, exitCodes, PlainFailure, print, printNotice, UsageError} from '#cli/io.ts';
import {printResult, type VerbRunner} from '#cli/verbs/verb-table.ts';
import {makeBackup, restoreBackup} from '#server/backup/backup.ts';
import {BackupDamaged} from '#server/backup/manifest.ts';
import {fillDirectory, removeDirectory} from '#server/backup/unfinished-directory.ts';
import {checkData} from '#server/check/check-data.ts';
import type {ServerContext} from '#server/context.ts';
import {Database, DatabaseInUse, isDatabaseError, isDiskFull} from '#server/db/database.ts';
import {NewerSchema, newestSchema} from '#server/db/migrate.ts';
import {startServer} from '#server/server.ts';
import type {ExportScope} from '#server/transfer/export/export-context.ts';
import {
  checkOutput,
  type ExportOptions,
  exportOrganization,
  leftOutCounts,
  OutputExists,
  oldIdCounts,
  organizationCounts,
  type ReportLine,
  receivedEstimate,
} from '#server/transfer/export/export-organization.ts';
import type {ImportReport} from '#server/transfer/import/import-context.ts';
import {importExport} from '#server/transfer/import/import-export.ts';
import {directoryFileStore} from '#server/uploads/file-store.ts';
import {errorText} from '#std/error-text.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {existingDataDirectory, openDataDirectory, savedUrl} from './data-directory.ts';
import {countLine, type DatabaseSnapshot, expectedFailure, progressLine, withSnapshot} from './operator.ts';

const gib = 1024 ** 3;
const defaultMaxGib = 50;

/** Returns the data directory that `--data` names. Throws if there is something in it already. */
function newDataDirectory(data: string | undefined, {cwd}: CliIo, rule: string): string {
  if (data === undefined) throw new UsageError('Name the new data directory with --data DIR.');
  const directory = resolve(cwd, data);
  if (!existsSync(directory) || readdirSync(directory).length === 0) return directory;
  throw new PlainFailure(`${directory} is not empty. ${rule}`);
}

/** Imports an export of a Zulip server into a new data directory. */
export const importOrganization: VerbRunner<'serve import'> = async ({values, words}, io, signal) => {
  const [file = ''] = words;
  const directory = newDataDirectory(values.data, io, 'An export is imported into a new directory.');
  const showProgress = progressLine(io);
  const body = async (partial: string) => {
    const {database, files} = openDataDirectory(partial);
    return importExport({
      path: resolve(io.cwd, file),
      database,
      files,
      workDirectory: join(partial, 'work'),
      maxBytes: (values['max-size'] ?? defaultMaxGib) * gib,
      now: Math.floor(io.clock.now() / 1000),
      onProgress: showProgress,
      signal,
    });
  };
  const report = await fillDirectory(directory, `${basename(directory)}.`, body, (text) => printNotice(io, text))
    .catch((error: unknown) => {
      throw plainFailure(error);
    })
    .finally(() => showProgress(''));
  return printResult(io, values, {json: jsonReport(directory, report), text: importReport(directory, report)});
};

function plainFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'ImportError') return new PlainFailure(error.message);
  if (isDiskFull(error)) return new PlainFailure('The disk is full. Nothing was imported.');
  if ('syscall' in error) return new PlainFailure(`Nothing was imported: ${error.message}.`);
  return error;
}

function jsonReport(directory: string, {imported, leftOut, doubts}: ImportReport) {
  const listed = (counts: ReadonlyMap<string, number>) => [...counts].map(([what, count]) => ({what, count}));
  return {data: directory, imported: listed(imported), not_imported: listed(leftOut), doubts};
}

function importReport(directory: string, {imported, leftOut, doubts, inactiveOwner}: ImportReport): string {
  return [
    `Imported into ${directory}:`,
    ...[...imported].map(([what, count]) => countLine(count, what)),
    ...(leftOut.size === 0 ? [] : ['', 'Not imported:']),
    ...[...leftOut].map(([what, count]) => countLine(count, what)),
    ...(doubts.length === 0 ? [] : ['', 'The export may be incomplete:']),
    ...doubts.map((sentence) => `  ${sentence}`),
    '',
    'Passwords and API keys are not part of an export. Start the server with',
    `  parley serve --world empty --data ${directory}`,
    ...(inactiveOwner === undefined
      ? [
          `It writes a new key of the owner to a private file in ${join(directory, 'zuliprc')}. The others get a link to`,
        ]
      : [
          'No owner has an active account. To get one, and a link to choose a password:',
          `  parley serve user reactivate ${inactiveOwner} --data ${directory}`,
          `  parley serve user link ${inactiveOwner} --data ${directory}`,
          'The others get a link to',
        ]),
    'choose a password: “parley serve user link EMAIL”, and bots a key: “parley serve user key EMAIL”.',
  ].join('\n');
}

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
          unfinished,
        ),
      (text) => printNotice(io, text),
    ),
  ).finally(() => show(''));
  const seconds = (io.clock.monotonic() - started) / 1000;
  const removed = values.keep === undefined ? [] : earlier.slice(0, Math.max(0, earlier.length + 1 - values.keep));
  for (const old of removed) removeDirectory(old);
  return printResult(io, values, {
    json: {backup: path, ...report, seconds, removed},
    text: `Backed up to ${path}: ${backupSize(report)}, ${report.linkedFiles} unchanged, ${seconds.toFixed(1)} s.`,
  });
};

/** Puts a backup into a new data directory, or the newest one of a folder of backups. */
export const restore: VerbRunner<'serve restore'> = async ({values, words: [word = '']}, io, signal) => {
  const directory = newDataDirectory(values.data, io, 'A backup is restored into a new directory.');
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
  const {takenAt, schema} = report;
  const isOld = schema < newestSchema();
  const change = isOld ? `\nIts schema is ${schema}; the server changes it to ${newestSchema()} when it starts.` : '';
  return printResult(io, values, {
    json: {data: directory, backup: from, ...report},
    text: `Restored the backup of ${takenAt} to ${directory}: ${backupSize(report)}.${change}`,
  });
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

function backupSize({files, bytes}: {readonly files: number; readonly bytes: number}): string {
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

/** A running server stores a file before its row: files of the last minute may still get one. */
const uploadMs = 60_000;

/** Checks a data directory: the database by itself, its rows, the search index, and the files. */
export const check: VerbRunner<'serve check'> = async ({values}, io) => {
  const directory = existingDataDirectory(values.data, io);
  const problems: string[] = [];
  const show = progressLine(io);
  const showCopy = (fraction: number) => show(`Database: ${Math.floor(fraction * 100)} %`);
  await withSnapshot(directory, io, showCopy, async (snapshot) => {
    show('');
    for await (const problem of problemsOf(directory, snapshot)) {
      problems.push(problem);
      if (!values.json) print(io, problem);
    }
  });
  const whole = problems.length === 0;
  return printResult(io, values, {
    json: {whole, problems},
    text: whole ? `The data in ${directory} is whole.` : undefined,
    exitCode: whole ? exitCodes.ok : exitCodes.failed,
  });
};

async function* problemsOf(directory: string, {path, takenAt, isCopy}: DatabaseSnapshot): AsyncGenerator<string> {
  let db: Database;
  try {
    db = new Database(path, {asFound: true});
  } catch (error) {
    if (error instanceof DatabaseInUse) throw new PlainFailure(error.message);
    if (!isDatabaseError(error) || isDiskFull(error)) throw checkFailure(error);
    yield `The database is damaged: ${error.message}.`;
    return;
  }
  try {
    yield* checkData({db, files: join(directory, 'files'), takenAt: takenAt - (isCopy ? uploadMs : 0)});
  } catch (error) {
    throw checkFailure(error);
  } finally {
    db.close();
  }
}

function checkFailure(error: unknown): unknown {
  if (!isDiskFull(error)) return error;
  return new PlainFailure(
    'The disk is full, so the data could not be checked. Free some space on it, and check again.',
  );
}

/** The version whose tables the export has. */
const oldestMajor = 12;
/** The number of receivers from which on an export is slow to write, and slower to import. */
const manyReceived = 20_000_000;
const bytesPerReceived = 50;

type Report = Awaited<ReturnType<typeof writeExport>>;

/** Writes an organization as a data export of Zulip, with a report of what it holds and what to do next. */
export const exportData: VerbRunner<'serve export'> = async ({values, words: [out = '']}, io, signal) => {
  const directory = existingDataDirectory(values.data, io);
  const show = progressLine(io);
  const options: ExportOptions = {
    output: resolve(io.cwd, out),
    zulipVersion: checkedVersion(values['zulip-version'] ?? `${oldestMajor}.0`),
    scope: scopeOf(values),
    receivedDays: values['received-days'],
    onProgress: show,
    onUnfinished: (text) => printNotice(io, text),
    signal,
  };
  try {
    checkOutput(options.output);
    const report = await withSnapshot(
      directory,
      io,
      (fraction) => show(`Copying the database: ${Math.floor(fraction * 100)} %`),
      async ({path}) => {
        const files = directoryFileStore(join(directory, 'files'));
        const offline = {database: path, files, isOffline: true, publicUrl: savedUrl(directory)};
        const server = await startServer(offline);
        // Pages of a mapped file would count as memory of this process, up to the size of the database.
        server.context.db.exec('PRAGMA mmap_size = 0');
        return writeExport(server.context, options, io).finally(() => server.close());
      },
    ).finally(() => show(''));
    return printResult(io, values, {
      json: {...report, changes: Object.fromEntries(report.changes), output: options.output},
      text: reportText(report, options).join('\n'),
    });
  } catch (error) {
    throw exportFailure(error);
  }
};

function scopeOf(values: {'public-only'?: boolean; consented?: boolean}): ExportScope {
  if (values['public-only'] && values.consented)
    throw new UsageError('--public-only and --consented exclude each other.');
  if (values['public-only']) return 'public';
  return values.consented ? 'consented' : 'everything';
}

async function writeExport(server: ServerContext, options: ExportOptions, io: CliIo) {
  const {db} = server;
  const counts = organizationCounts(db);
  printNotice(io, privacyText(counts, options));
  const received = receivedEstimate(db);
  if (options.receivedDays === undefined && received > manyReceived) printNotice(io, sizeText(received));
  const summary = await exportOrganization(server, options);
  const owner = 'SELECT delivery_email FROM user WHERE role = 100 AND is_bot = 0 ORDER BY is_active DESC, id LIMIT 1';
  return {
    ...summary,
    counts,
    leftOut: leftOutCounts(db),
    oldIds: oldIdCounts(db),
    owner: db.value<string>(owner) ?? 'OWNER',
  };
}

function privacyText(counts: readonly ReportLine[], {scope}: ExportOptions): string {
  if (scope === 'public') return 'The export contains no direct messages and no messages of private channels.';
  if (scope === 'consented') return 'The export contains private messages only of those who agreed to it.';
  const count = counts.find(({text}) => text === 'private message')?.count ?? 0;
  return `The export contains ${countedNoun(count, 'private message')} (direct, or of private channels) and their files, which everyone who has it can read.`;
}

function sizeText(received: number): string {
  const gigabytes = Math.ceil((received * bytesPerReceived) / 1e9);
  return `It names about ${received} receivers of messages: some ${gigabytes} GB. With --received-days 30 it names only those who need it for older messages.`;
}

function reportText(
  {counts, leftOut, oldIds, changes, files, owner, ...report}: Report,
  options: ExportOptions,
): string[] {
  const {output, zulipVersion} = options;
  const counted = counts.map(({text, count}) => countedNoun(count, text)).join(', ');
  const name = basename(output);
  return [
    `Exported to ${output} and ${output}.tar.gz.`,
    `The organization has ${counted}. The export has ${countedNoun(report.messages, 'message')} and ${countedNoun(files.files, 'file')}.`,
    privacyText(counts, options),
    '',
    'Not in the export:',
    ...leftOut.map(({text, count}) => countLine(count, text)),
    ...(oldIds.length === 0 ? [] : ['', 'With ids that a Zulip server does not renumber:']),
    ...oldIds.map(({text, count}) => countLine(count, text)),
    ...(changes.size === 0 ? [] : ['', 'Changed:', ...[...changes].map(([text, count]) => countLine(count, text))]),
    '',
    `To import it into a server with Zulip ${zulipVersion.split('.')[0]}, as the user “zulip” in its deployment directory:`,
    '  scripts/stop-server',
    `  tar xf ${name}.tar.gz`,
    `  ./manage.py import '' ${name}`,
    '  scripts/start-server',
    `  ./manage.py change_password -r '' ${owner}`,
    `  ./manage.py send_password_reset_email -r '' --all-users`,
    "For a subdomain, write its name instead of ''. Log in, restore the organization's name, check how people log in, and give bots their new keys. “parley help moving” has the details.",
  ];
}

function checkedVersion(version: string): string {
  const [, major] = /^(\d{1,3})\.\d/.exec(version) ?? [];
  if (Number(major) >= oldestMajor) return version;
  throw new UsageError(`--zulip-version must be ${oldestMajor}.0 or later, not “${version}”.`);
}

function exportFailure(error: unknown): unknown {
  if (error instanceof OutputExists) return new PlainFailure(`${error.message} Choose another name.`);
  if (error instanceof Error && 'syscall' in error) {
    return new PlainFailure(`The export cannot be written: ${error.message}.`);
  }
  return expectedFailure(error);
}
