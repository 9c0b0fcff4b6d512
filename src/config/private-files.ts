import {
  chmodSync,
  closeSync,
  constants,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join, resolve, sep} from 'node:path';
import {makeDirectory} from '#std/access-error.ts';
import {errorText} from '#std/error-text.ts';
import {targetPath} from '#std/target-path.ts';

/** An error in a file or variable of the user. Its message is one sentence and never contains a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Returns what the body returns, or the ConfigError that it throws. */
export function orConfigError<T>(body: () => T): T | ConfigError {
  try {
    return body();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

const groupAndOthersMask = 0o077;

/** Creates the directory if necessary, and removes access for other users. */
export function ensurePrivateDirectory(path: string): void {
  withConfigErrors(`${path} cannot be created`, () => {
    makeDirectory(path);
    const stats = statSync(path);
    if (isOurs(stats) && (stats.mode & groupAndOthersMask) !== 0) chmodSync(path, 0o700);
  });
}

/**
 * Writes a file atomically, even across a power failure. Other users can never read it, not even while it is
 * being written, unless `mode` allows it.
 */
export function writePrivateFile(path: string, text: string, mode = 0o600): void {
  // A link (for example to a dotfiles repository) stays a link: its target is replaced.
  replacePrivateFile(targetOf(path), text, mode);
}

/** Writes a file like `writePrivateFile`, but replaces a link: in a folder of several users, another may have made it. */
export function replacePrivateFile(path: string, text: string, mode = 0o600): void {
  withConfigErrors(`${path} cannot be written`, () => {
    const temporary = writeTemporary(path, text, mode);
    try {
      renameSync(temporary, path);
    } finally {
      rmSync(temporary, {force: true});
    }
  });
}

/** Creates a file like `writePrivateFile`. Returns false when it exists; of two concurrent writers, one succeeds. */
export function createPrivateFile(path: string, content: string | Uint8Array): boolean {
  return withConfigErrors(`${path} cannot be written`, () => {
    const temporary = writeTemporary(path, content);
    try {
      linkSync(temporary, path);
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(temporary, {force: true});
    }
  });
}

/** Turns file system errors into a ConfigError that starts with `what`. */
function withConfigErrors<T>(failure: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new ConfigError(`${failure}: ${errorText(error)}.`);
  }
}

function writeTemporary(path: string, content: string | Uint8Array, mode = 0o600): string {
  const temporary = `${path}.${Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex')}.new`;
  const {O_CREAT, O_EXCL, O_SYNC, O_WRONLY} = constants;
  // O_SYNC: a session over SSH may not sync or change modes by descriptors, so each write syncs.
  const file = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_SYNC, 0o600);
  try {
    writeFileSync(file, content);
    if (mode !== 0o600) chmodSync(temporary, mode);
  } catch (error) {
    rmSync(temporary, {force: true});
    throw error;
  } finally {
    closeSync(file);
  }
  return temporary;
}

function targetOf(path: string): string {
  try {
    return targetPath(path);
  } catch {
    return danglingTarget(path);
  }
}

/** Returns the target of a link whose target does not exist yet. */
function danglingTarget(path: string): string {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return path;
  }
}

/**
 * Removes other users' access to a file with a secret. Returns a notice for the user, or undefined when the
 * file was private already. Pipes and devices (a process substitution) have no other readers.
 */
export function repairSecretFile(path: string): string | undefined {
  const stats = statSync(path);
  if (!stats.isFile() || (stats.mode & groupAndOthersMask) === 0) return undefined;
  if (!isOurs(stats)) return `Other users can read ${path}, which contains your API key, and you do not own the file.`;
  try {
    chmodSync(path, 0o600);
    return `Other users could read ${path}, which contains your API key. Parley made it private.`;
  } catch {
    return `Other users can read ${path}, which contains your API key. Making it private failed.`;
  }
}

export function isOurs(stats: Stats): boolean {
  return stats.uid === process.getuid?.();
}

/**
 * Returns the text of a file. Throws a ConfigError when it cannot be read or is larger than `maxBytes`,
 * because the path may point at anything.
 */
export function readSmallFile(path: string, maxBytes = 256 * 1024): string {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let bytesRead = -1; bytesRead !== 0 && length < bytes.length; length += bytesRead) {
      bytesRead = readSync(file, bytes, length, bytes.length - length, null);
    }
    if (length > maxBytes) throw new ConfigError(`${path} is too large to be a configuration file.`);
    return bytes.toString('utf8', 0, length);
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(readErrorText(path, error));
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readErrorText(path: string, error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `There is no file ${path}.`;
    case 'EACCES':
    case 'EPERM':
      return `You are not allowed to read ${path}.`;
    case 'EISDIR':
      return `${path} is a directory, not a file.`;
    default:
      return `${path} cannot be read: ${errorText(error)}.`;
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

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
