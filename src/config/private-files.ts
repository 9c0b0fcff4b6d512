import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {ConfigError} from './config-error.ts';

const othersBits = 0o077;

/** Makes the directory if need be, and sees to it that only its owner may look inside. */
export function ensurePrivateDirectory(path: string): void {
  withConfigErrors(`${path} cannot be made`, () => {
    mkdirSync(path, {recursive: true, mode: 0o700});
    const stats = statSync(path);
    if (isOurs(stats) && (stats.mode & othersBits) !== 0) chmodSync(path, 0o700);
  });
}

/**
 * Whole or not at all, even through a power cut, and never readable by others, not even for a moment, unless `mode` says that
 * they may.
 */
export function writePrivateFile(path: string, text: string, mode = 0o600): void {
  // A link (dotfiles kept elsewhere) stays a link: what it points to is replaced.
  const target = targetOf(path);
  withConfigErrors(`${path} cannot be written`, () => {
    const temporary = writeTemporary(target, text, mode);
    try {
      renameSync(temporary, target);
    } finally {
      rmSync(temporary, {force: true});
    }
  });
}

/** Like `writePrivateFile`, but false when there is such a file already: of two writers at once, one succeeds. */
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

/** The disk's refusal as a sentence. */
function withConfigErrors<T>(what: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new ConfigError(`${what}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function writeTemporary(path: string, content: string | Uint8Array, mode = 0o600): string {
  const temporary = `${path}.${Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex')}.new`;
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    if (mode !== 0o600) fchmodSync(file, mode);
    fsyncSync(file);
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
    return realpathSync(path);
  } catch {
    return danglingTarget(path);
  }
}

/** What a link points to may be yet to be made. */
function danglingTarget(path: string): string {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return path;
  }
}

/**
 * What to tell the user about a file that holds a secret; nothing when only its owner can read it. What can be repaired is
 * repaired. Pipes and devices (a process substitution) have no readers but us.
 */
export function repairSecretFile(path: string): string | undefined {
  const stats = statSync(path);
  if (!stats.isFile() || (stats.mode & othersBits) === 0) return undefined;
  if (!isOurs(stats)) return `Others can read ${path}, which holds your key, and it is not yours to change.`;
  try {
    chmodSync(path, 0o600);
    return `Others could read ${path}, which holds your key; now only you can.`;
  } catch {
    return `Others can read ${path}, which holds your key, and that cannot be changed here.`;
  }
}

/** Whether somebody else (but root) decides what the file says. */
export function othersMayWrite(path: string): boolean {
  const stats = statSync(path);
  if (!stats.isFile()) return false;
  return (stats.mode & 0o022) !== 0 || (!isOurs(stats) && stats.uid !== 0);
}

function isOurs(stats: Stats): boolean {
  return stats.uid === process.getuid?.();
}

/** The text of a small file; a sentence when it cannot be read. Bounded: a name can point at anything. */
export function readSmallFile(path: string, mostBytes = 256 * 1024): string {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const bytes = Buffer.alloc(mostBytes + 1);
    let length = 0;
    for (let got = -1; got !== 0 && length < bytes.length; length += got) {
      got = readSync(file, bytes, length, bytes.length - length, null);
    }
    if (length > mostBytes) throw new ConfigError(`${path} is too large to be what it should be.`);
    return bytes.toString('utf8', 0, length);
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(unreadable(path, error));
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function unreadable(path: string, error: unknown): string {
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
      return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
