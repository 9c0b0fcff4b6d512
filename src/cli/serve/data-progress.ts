import {existsSync, readdirSync} from 'node:fs';
import {basename, resolve} from 'node:path';
import {type CliIo, PlainFailure, printNotice, UsageError} from '#cli/io.ts';
import {fillDirectory} from '#server/backup/unfinished-directory.ts';
import {progressLine} from './operator.ts';

/** Returns the data directory that `--data` names. Throws if there is something in it already. */
export function newDataDirectory(data: string | undefined, {cwd}: CliIo, rule: string): string {
  if (data === undefined) throw new UsageError('Name the new data directory with --data DIR.');
  const directory = resolve(cwd, data);
  if (!existsSync(directory) || readdirSync(directory).length === 0) return directory;
  throw new PlainFailure(`${directory} is not empty. ${rule}`);
}

/** What shows the progress of reading or writing an organization: a text, the files so far, or a part of the database. */
interface Progress {
  readonly show: (text: string) => void;
  readonly onFile: (count: number) => void;
  readonly onCopy: (fraction: number) => void;
}

/** Runs the body with a line that shows its progress. Throws what `failureOf` makes of an error. */
export async function withProgress<T>(
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
export function fillDataDirectory<T>(
  directory: string,
  io: CliIo,
  fill: (unfinished: string) => Promise<T>,
): Promise<T> {
  return fillDirectory(directory, `${basename(directory)}.`, fill, (text) => printNotice(io, text));
}
