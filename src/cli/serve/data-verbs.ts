import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {type CliIo, exitCodes, PlainFailure, print, printNotice, UsageError} from '#cli/io.ts';
import type {VerbResult, VerbRunner} from '#cli/verbs/verb-table.ts';
import {makeBackup, restoreBackup, verifyBackup} from '#server/backup/backup.ts';
import {fillDirectory, removeDirectory} from '#server/backup/unfinished-directory.ts';
import {checkData, type FreeSpace, freeSpace} from '#server/check/check-data.ts';
import type {ServerContext} from '#server/context.ts';
import {newestSchema} from '#server/db/migrate.ts';
import {startServer} from '#server/server.ts';
import type {ExportScope} from '#server/transfer/export/export-context.ts';
import {
  checkOutput,
  type ExportOptions,
  exportOrganization,
  leftOutCounts,
  OutputExists,
  organizationCounts,
  type ReportLine,
  receivedEstimate,
} from '#server/transfer/export/export-organization.ts';
import {parseTargetIds, type TargetIds} from '#server/transfer/export/target-ids.ts';
import type {ImportReport} from '#server/transfer/import/import-context.ts';
import {importExport} from '#server/transfer/import/import-export.ts';
import {directoryFileStore} from '#server/uploads/file-store.ts';
import {errorText} from '#std/error-text.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {existingDataDirectory, openDataDirectory, requireSecret, savedUrl} from './data-directory.ts';
import {dataFailure, failureAfter} from './data-failure.ts';
import {countLine, type DatabaseSnapshot, progressLine, withSnapshot} from './operator.ts';

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
export const serveImport: VerbRunner<'serve import'> = async ({values, words: [file = '']}, io, signal) => {
  const directory = newDataDirectory(values.data, io, 'An export is imported into a new directory.');
  const report = await withProgress(io, importFailure, ({show}) =>
    fillDataDirectory(directory, io, async (partial) => {
      const {database, files} = openDataDirectory(partial);
      return importExport({
        path: resolve(io.cwd, file),
        database,
        files,
        workDirectory: join(partial, 'work'),
        maxBytes: (values['max-size'] ?? defaultMaxGib) * gib,
        now: Math.floor(io.clock.now() / 1000),
        onProgress: show,
        signal,
      });
    }),
  );
  return {json: jsonReport(directory, report), text: importReport(directory, report)};
};

function importFailure(error: unknown): unknown {
  const isOfExport = error instanceof Error && error.name === 'ImportError';
  return isOfExport ? new PlainFailure(error.message) : dataFailure(error, 'Nothing was imported.');
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

/** Makes a new backup in the folder OUT, beside the earlier ones, or checks one that exists. */
export const serveBackup: VerbRunner<'serve backup'> = async ({values, words: [out]}, io, signal) => {
  if (values.verify !== undefined) return verify(values.verify, io, signal);
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
  // Another run may have finished or removed backups meanwhile.
  const others = backupsIn(folder).filter((each) => each !== path);
  const old = values.keep === undefined ? [] : others.slice(0, Math.max(0, others.length + 1 - values.keep));
  const removed = old.filter(removeDirectory);
  return {
    json: {backup: path, ...report, seconds, removed},
    text: `Backed up to ${path}: ${backupSize(report)}, ${report.linkedFiles} unchanged, ${seconds.toFixed(1)} s.`,
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

/** What shows the progress of reading or writing an organization: a text, the files so far, or a part of the database. */
interface Progress {
  readonly show: (text: string) => void;
  readonly onFile: (count: number) => void;
  readonly onCopy: (fraction: number) => void;
}

/** Runs the body with a line that shows its progress. Throws what `failureOf` makes of an error. */
async function withProgress<T>(
  io: CliIo,
  failureOf: (error: unknown) => unknown,
  body: (progress: Progress) => Promise<T>,
): Promise<T> {
  const show = progressLine(io);
  try {
    return await body({
      show,
      onFile: (count) => show(`Files: ${count}`),
      onCopy: (fraction) => show(`Database: ${Math.floor(fraction * 100)} %`),
    });
  } catch (error) {
    throw failureOf(error);
  } finally {
    show('');
  }
}

/** Fills a new data directory, which appears when it is complete. */
function fillDataDirectory<T>(directory: string, io: CliIo, fill: (unfinished: string) => Promise<T>): Promise<T> {
  return fillDirectory(directory, `${basename(directory)}.`, fill, (text) => printNotice(io, text));
}

/** A running server stores a file before its row: files of the last minute may still get one. */
const uploadMs = 60_000;

/** Checks a data directory: the database by itself, its rows, the search index, the secret and the files. */
export const serveCheck: VerbRunner<'serve check'> = async ({values}, io) => {
  const directory = existingDataDirectory(values.data, io);
  const problems: string[] = [];
  const space = await withProgress(io, failureAfter('The data was not checked.'), ({show, onCopy}) =>
    withSnapshot(directory, io, onCopy, async ({path, takenAt, isCopy}) => {
      show('');
      const data = {database: path, directory, takenAt: takenAt - (isCopy ? uploadMs : 0)};
      for await (const problem of checkData(data)) {
        problems.push(problem);
        if (!values.json) print(io, problem);
      }
      return freeSpace(path);
    }),
  );
  const whole = problems.length === 0;
  return {
    json: {
      whole,
      problems,
      ...(space && {bytes: space.bytes, free_bytes: space.freeBytes, free_pages: space.freePages}),
    },
    text:
      [whole ? [`The data in ${directory} is whole.`] : [], space === undefined ? [] : [spaceText(space)]]
        .flat()
        .join('\n') || undefined,
    exitCode: whole ? exitCodes.ok : exitCodes.failed,
  };
};

function spaceText({bytes, freeBytes, freePages}: FreeSpace): string {
  return `The database has ${(bytes / 1e6).toFixed(1)} MB, of which ${(freeBytes / 1e6).toFixed(1)} MB (${countedNoun(freePages, 'page')}) are free.`;
}

/** The version whose tables the export has. */
const oldestMajor = 12;
/** The number of receivers from which on an export is slow to write, and slower to import. */
const manyReceived = 20_000_000;
const bytesPerReceived = 50;

type Report = Awaited<ReturnType<typeof writeExport>>;

/** Writes an organization as a data export of Zulip, with a report of what it holds and what to do next. */
export const serveExport: VerbRunner<'serve export'> = async ({values, words: [out = '']}, io, signal) => {
  const directory = existingDataDirectory(values.data, io);
  const choice = {
    output: resolve(io.cwd, out),
    zulipVersion: checkedVersion(values['zulip-version'] ?? `${oldestMajor}.0`),
    scope: scopeOf(values),
    receivedDays: values['received-days'],
    targetIds: targetIdsOf(values['target-ids'], io),
  };
  return withProgress(io, exportFailure, async ({show}) => {
    checkOutput(choice.output);
    const onCopy = (fraction: number) => show(`Copying the database: ${Math.floor(fraction * 100)} %`);
    const onUnfinished = (text: string) => printNotice(io, text);
    const options: ExportOptions = {...choice, onProgress: show, onUnfinished, signal};
    const report = await withSnapshot(directory, io, onCopy, async ({path}) => {
      const files = directoryFileStore(join(directory, 'files'));
      const offline = {database: path, files, isOffline: true, publicUrl: savedUrl(directory)};
      const server = await startServer(offline);
      // Pages of a mapped file would count as memory of this process, up to the size of the database.
      server.context.db.exec('PRAGMA mmap_size = 0');
      return writeExport(server.context, options, io).finally(() => server.close());
    });
    return {
      json: {...report, changes: Object.fromEntries(report.changes), output: options.output},
      text: reportText(report, options).join('\n'),
    };
  });
};

function scopeOf(values: {'public-only'?: boolean; consented?: boolean}): ExportScope {
  if (values['public-only'] && values.consented)
    throw new UsageError('--public-only and --consented exclude each other.');
  if (values['public-only']) return 'public';
  return values.consented ? 'consented' : 'everything';
}

function targetIdsOf(file: string | undefined, {cwd}: CliIo): TargetIds | undefined {
  if (file === undefined) return undefined;
  const ids = parseTargetIds(textOf(resolve(cwd, file)));
  if (typeof ids !== 'string') return ids;
  throw new PlainFailure(`${file} ${ids}. It must be what the query in “parley help moving” prints.`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new PlainFailure(`${path} cannot be read: ${errorText(error)}.`);
  }
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
  {counts, leftOut, changes, files, owner, futureMessages, ...report}: Report,
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
    ...(changes.size === 0 ? [] : ['', 'Changed:', ...[...changes].map(([text, count]) => countLine(count, text))]),
    '',
    `To import it into a server with Zulip ${zulipVersion.split('.')[0]}, as the user “zulip” in its deployment directory:`,
    '  scripts/stop-server',
    `  tar xf ${name}.tar.gz`,
    `  ./manage.py import '' ${name}`,
    '  scripts/start-server',
    `  ./manage.py change_password -r '' ${owner}`,
    `  ./manage.py send_password_reset_email -r '' --all-users`,
    ...(futureMessages === undefined
      ? []
      : [
          `The first message must have the id ${futureMessages.first} and the last one ${futureMessages.last} there: otherwise links lead elsewhere. This query shows it:`,
          `  psql -Atc "${futureMessages.query}" zulip`,
        ]),
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
  return dataFailure(error);
}
