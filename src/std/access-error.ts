import {accessSync, constants, mkdirSync} from 'node:fs';
import {dirname} from 'node:path';

/**
 * Returns the error of the system because of which a file cannot be read and written; undefined if nothing forbids it. A file that does
 * not exist, or that SQLite needs beside it, can be created if its folder can be written to.
 */
export function accessError(path: string): Error | undefined {
  const error = errorOfAccess(path, constants.R_OK | constants.W_OK);
  if (error !== undefined && codeOf(error) !== 'ENOENT') return error;
  return errorOfAccess(dirname(path), constants.W_OK | constants.X_OK);
}

/** Creates a folder and those above it, private to the user. With `recursive`, Node says of a read-only file system that a folder is missing. */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, {recursive: true, mode: 0o700});
  } catch (error) {
    throw (codeOf(error) === 'ENOENT' ? errorAbove(path) : undefined) ?? error;
  }
}

/** Returns why nothing can be created in the nearest folder above the path that exists. */
function errorAbove(path: string): Error | undefined {
  const folder = dirname(path);
  const error = errorOfAccess(folder, constants.W_OK | constants.X_OK);
  return codeOf(error) === 'ENOENT' && folder !== path ? errorAbove(folder) : error;
}

function errorOfAccess(path: string, mode: number): Error | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : undefined;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
