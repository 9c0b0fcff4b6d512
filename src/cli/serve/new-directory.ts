import {existsSync, mkdirSync, readdirSync, renameSync, rmSync} from 'node:fs';
import {PlainFailure} from '#cli/failures.ts';

/**
 * Creates a directory that is there as a whole or not at all: `fill` writes into `DIR.partial`, which is renamed at the
 * end. A killed process leaves only that directory, and the next run removes it.
 */
export async function fillNewDirectory<T>(directory: string, fill: (partial: string) => Promise<T>): Promise<T> {
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    throw new PlainFailure(`${directory} is not empty. Choose a new directory.`);
  }
  const partial = `${directory}.partial`;
  rmSync(partial, {recursive: true, force: true});
  mkdirSync(partial, {recursive: true, mode: 0o700});
  const mask = process.umask(0o077);
  try {
    const result = await fill(partial);
    rmSync(directory, {recursive: true, force: true});
    renameSync(partial, directory);
    return result;
  } catch (error) {
    rmSync(partial, {recursive: true, force: true});
    throw error;
  } finally {
    process.umask(mask);
  }
}
