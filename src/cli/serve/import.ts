import {existsSync, readdirSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {PlainFailure} from '#cli/failures.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import {fillDirectory} from '#server/backup/unfinished-directory.ts';
import {isDiskFull} from '#server/db/database.ts';
import {importExport} from '#server/transfer/import/import-export.ts';
import type {ImportReport} from '#server/transfer/import/import-report.ts';
import {countLine} from './count-line.ts';
import {openDataDirectory} from './data-directory.ts';
import {progressLine} from './progress-line.ts';

const gib = 1024 ** 3;
const defaultMaxGib = 50;

/** Imports an export of a Zulip server into a new data directory. */
export const importOrganization: VerbRunner<'serve import'> = async ({values, words}, io, signal) => {
  const [file = ''] = words;
  if (values.data === undefined) throw new UsageError('Name the new data directory with --data DIR.');
  const directory = resolve(io.cwd, values.data);
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    throw new PlainFailure(`${directory} is not empty. An export is imported into a new directory.`);
  }
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
  if (values.json) printJson(io, jsonReport(directory, report));
  else print(io, reportText(directory, report));
  return undefined;
};

function plainFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'ImportError') return new PlainFailure(error.message);
  if (isDiskFull(error)) return new PlainFailure('The disk is full. Nothing was imported.');
  if ('syscall' in error) return new PlainFailure(`Nothing was imported: ${error.message}.`);
  return error;
}

function listed(counts: ReadonlyMap<string, number>) {
  return [...counts].map(([what, count]) => ({what, count}));
}

function jsonReport(directory: string, {imported, leftOut, doubts}: ImportReport) {
  return {
    data: directory,
    imported: listed(imported),
    not_imported: listed(leftOut),
    doubts,
  };
}

function reportText(directory: string, {imported, leftOut, doubts, inactiveOwner}: ImportReport): string {
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
