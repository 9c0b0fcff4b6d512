import {lstatSync, readlinkSync, type Stats, statSync} from 'node:fs';
import {join, resolve, sep} from 'node:path';
import {ConfigError} from './config-error.ts';
import {isOurs} from './private-files.ts';

const stickyBit = 0o1000;
const maxLinks = 40;

/**
 * Throws unless the file with a key_command is the user's own and private, and nobody else can put another file in its place: a
 * command in a zuliprc is run, so whoever writes the file runs programs as the user.
 */
export function checkCommandFile(file: string): void {
  const problem = commandFileProblem(file, 0o077);
  if (problem !== undefined) throw new ConfigError(`The key_command of ${file} is not run: ${problem}`);
}

/** Returns why programs that the file names must not be run. `forbidden` are the bits of its mode that it must not have. */
export function commandFileProblem(file: string, forbidden: number): string | undefined {
  const stats = statSync(file);
  if (!isOurs(stats)) return 'another user owns the file.';
  // A pipe (a process substitution) has no path that others could change.
  if (!stats.isFile()) return undefined;
  if ((stats.mode & forbidden) !== 0) {
    const may = (forbidden & 0o044) === 0 ? 'change' : 'read or change';
    return `others may ${may} the file. Make it private: chmod 600 ${file}`;
  }
  const part = replaceablePart(file);
  return part === undefined ? undefined : `others may change ${part}.`;
}

/** Returns the first folder or link on the way to the file that a user other than root can change. */
function replaceablePart(file: string): string | undefined {
  const names = partsOf(file);
  let folder: string = sep;
  for (let links = 0; names.length > 0; ) {
    if (mayOthersReplace(lstatSync(folder))) return folder;
    const next = join(folder, names.shift() ?? '');
    const stats = lstatSync(next);
    if (!stats.isSymbolicLink()) {
      folder = next;
      continue;
    }
    if (!isTrusted(stats) || ++links > maxLinks) return next;
    names.unshift(...partsOf(resolve(folder, readlinkSync(next))));
    folder = sep;
  }
  return undefined;
}

function partsOf(path: string): string[] {
  return resolve(path)
    .split(sep)
    .filter((name) => name !== '');
}

/**
 * Returns whether another user can replace entries of the folder. In a folder with the sticky bit (/tmp) only the owners of
 * entries can. The group with the number of the owner is the owner's private one.
 */
function mayOthersReplace(folder: Stats): boolean {
  if (!isTrusted(folder)) return true;
  const mask = folder.gid === folder.uid ? 0o002 : 0o022;
  return (folder.mode & mask) !== 0 && (folder.mode & stickyBit) === 0;
}

function isTrusted(stats: Stats): boolean {
  return isOurs(stats) || stats.uid === 0;
}
