import {join, resolve} from 'node:path';
import {PlainFailure} from '#cli/io.ts';
import type {VerbRunner} from '#cli/verbs/verb-table.ts';
import type {ImportReport} from '#server/transfer/import/import-context.ts';
import {importExport} from '#server/transfer/import/import-export.ts';
import {openDataDirectory} from './data-directory.ts';
import {dataFailure} from './data-failure.ts';
import {fillDataDirectory, newDataDirectory, withProgress} from './data-progress.ts';
import {countLine} from './operator.ts';

const gib = 1024 ** 3;

const defaultMaxGib = 50;

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
