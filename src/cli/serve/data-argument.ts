import {existsSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {PlainFailure} from '#cli/failures.ts';
import type {CliIo} from '#cli/io.ts';
import {UsageError} from '#cli/usage-error.ts';

/** Returns the data directory that `--data` names. Throws if there is no organization in it. */
export function existingDataDirectory(data: string | undefined, {cwd}: Pick<CliIo, 'cwd'>): string {
  if (data === undefined) throw new UsageError('Name the data directory with --data DIR.');
  const directory = resolve(cwd, data);
  if (!existsSync(databaseFile(directory))) throw new PlainFailure(`There is no organization in ${directory}.`);
  return directory;
}

export function databaseFile(directory: string): string {
  return join(directory, 'parley.db');
}
