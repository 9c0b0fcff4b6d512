import {accessSync, constants, existsSync, mkdtempSync, rmSync, type Stats, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {CliIo} from '#cli/io.ts';
import {versionLine} from '#cli/version.ts';
import {displayPath, pathsOf} from '#config/paths.ts';
import {errorCode} from '#config/private-files.ts';
import {readSettings} from '#config/settings.ts';
import {errorText} from '#std/error-text.ts';
import type {DoctorCheck} from './check.ts';

/**
 * Checks the program, its directories and its settings. `write` tries to write into a directory and throws on failure.
 */
export function* machineChecks({env, home}: CliIo, write = writeTestFile): Generator<DoctorCheck> {
  yield {status: 'ok', what: 'program', detail: versionLine()};
  const {runtime, ...persistent} = pathsOf(env, home);
  for (const [what, path] of Object.entries({...persistent, runtime})) {
    yield {what, ...directoryCheck(path, displayPath(path, home), write)};
  }
  const {warnings} = readSettings(persistent.config, env);
  for (const detail of warnings) yield {status: 'warn', what: 'settings', detail};
  if (warnings.length === 0) yield {status: 'ok', what: 'settings', detail: 'no problems'};
}

type WriteProbe = (directory: string) => void;

function directoryCheck(path: string, displayed: string, write: WriteProbe): Pick<DoctorCheck, 'status' | 'detail'> {
  const stats = statSync(path, {throwIfNoEntry: false});
  if (stats === undefined) {
    const parent = existingParent(path);
    return isWritable(parent)
      ? {status: 'ok', detail: `${displayed} (created when needed)`}
      : {status: 'FAIL', detail: `${displayed} cannot be created: ${parent} is not writable.`};
  }
  if (!stats.isDirectory()) return {status: 'FAIL', detail: `${displayed} is not a directory.`};
  if (!isWritable(path)) return {status: 'FAIL', detail: `${displayed} is not writable.`};
  const problem = problemOf(() => write(path));
  if (problem !== undefined) return {status: 'FAIL', detail: `Writing to ${displayed} failed: ${problem}.`};
  if (isOpenToOthers(stats))
    return {status: 'warn', detail: `Other users can read ${displayed}. Make it private: chmod 700.`};
  return {status: 'ok', detail: displayed};
}

/** Writes about as much as a small database: a full disk and an exceeded quota show only then. */
function writeTestFile(directory: string): void {
  const folder = mkdtempSync(join(directory, '.doctor-'));
  try {
    writeFileSync(join(folder, 'probe'), Buffer.alloc(256 * 1024, 1));
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

function problemOf(body: () => void): string | undefined {
  try {
    body();
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOSPC') return 'the disk is full';
    return code === 'EDQUOT' ? 'your disk quota is exceeded' : errorText(error);
  }
}

function isOpenToOthers({mode}: Stats): boolean {
  return (mode & 0o077) !== 0;
}

function existingParent(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) || parent === path ? parent : existingParent(parent);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
