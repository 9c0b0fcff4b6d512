import {readFileSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {type CliIo, PlainFailure, printNotice, UsageError} from '#cli/io.ts';
import type {VerbRunner} from '#cli/verbs/verb-table.ts';
import type {ServerContext} from '#server/context.ts';
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
import {directoryFileStore} from '#server/uploads/file-store.ts';
import {errorText} from '#std/error-text.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {existingDataDirectory, savedUrl} from './data-directory.ts';
import {dataFailure} from './data-failure.ts';
import {withProgress} from './data-progress.ts';
import {countLine, withSnapshot} from './operator.ts';

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
