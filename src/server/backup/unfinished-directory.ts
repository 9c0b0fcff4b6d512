import {closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {makeDirectory} from '#std/access-error.ts';
import {hasPid} from '#std/has-pid.ts';

/** A sentence about a directory that an interrupted run left, or that another run is writing. */
export type OnUnfinished = (sentence: string) => void;

/**
 * Fills a new directory and gives it its name when it is complete: whoever kills this process leaves all of it or
 * nothing. `finalPath` chooses another name by the result. What killed processes left beside it under a name with this prefix is removed first, and named.
 */
export async function fillDirectory<T>(
  path: string,
  prefix: string,
  body: (unfinished: string) => Promise<T>,
  onUnfinished: OnUnfinished,
  finalPath: (result: T) => string = () => path,
): Promise<T> {
  const parent = dirname(path);
  makeDirectory(parent);
  removeUnfinished(parent, prefix, onUnfinished);
  const unfinished = `${path}.${process.pid}.partial`;
  mkdirSync(unfinished, {mode: 0o700});
  try {
    const result = await body(unfinished);
    syncDirectory(unfinished);
    // Replaces an empty directory, and fails for any other.
    renameSync(unfinished, finalPath(result));
    syncDirectory(parent);
    return result;
  } catch (error) {
    rmSync(unfinished, {recursive: true, force: true});
    throw error;
  }
}

/** Removes a directory, so that a killed process leaves none with its name that lacks files. Returns false if another run has removed it. */
export function removeDirectory(path: string): boolean {
  const unfinished = `${path}.${process.pid}.partial`;
  try {
    renameSync(path, unfinished);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
  rmSync(unfinished, {recursive: true, force: true});
  return true;
}

function removeUnfinished(parent: string, prefix: string, onUnfinished: OnUnfinished): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /\.(\d+)\.partial$/.exec(name) ?? [];
    if (pid === undefined || !name.startsWith(prefix)) continue;
    const path = join(parent, name);
    if (hasPid(Number(pid))) {
      onUnfinished(
        `Process ${pid} is writing ${path}. If it is another program, an interrupted run left the folder: delete it.`,
      );
      continue;
    }
    rmSync(path, {recursive: true, force: true});
    onUnfinished(`Removed ${path}, which an interrupted run left.`);
  }
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
