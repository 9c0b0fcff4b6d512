import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import type {CliIo} from '#cli/io.ts';
import {version} from '#cli/version.ts';
import {displayPath, pathsOf} from '#config/paths.ts';
import {errorCode} from '#config/private-files.ts';
import {readSettings} from '#config/settings.ts';
import type {DoctorCheck} from './check.ts';

/** What this machine gives: the program, its places, its settings. `write` tries a directory, and throws. */
export function* machineChecks({env, home}: CliIo, write = writeSomething): Generator<DoctorCheck> {
  yield {status: 'ok', what: 'program', detail: `Parley ${version} on Node ${process.versions.node}`};
  const {runtime, ...kept} = pathsOf(env, home);
  for (const [what, path] of Object.entries({...kept, runtime})) {
    yield {what, ...directoryCheck(path, displayPath(path, home), write)};
  }
  const {warnings} = readSettings(kept.config, env);
  for (const detail of warnings) yield {status: 'warn', what: 'settings', detail};
  if (warnings.length === 0) yield {status: 'ok', what: 'settings', detail: 'nothing to complain about'};
}

type WriteProbe = (directory: string) => void;

function directoryCheck(
  path: string,
  shown: string,
  write: WriteProbe,
): Pick<DoctorCheck, 'status' | 'detail'> {
  const stats = statSync(path, {throwIfNoEntry: false});
  if (stats === undefined) {
    const parent = existingParent(path);
    return isWritable(parent)
      ? {status: 'ok', detail: `${shown} (made when it is needed)`}
      : {status: 'FAIL', detail: `${shown} cannot be made: ${parent} is not writable.`};
  }
  if (!stats.isDirectory()) return {status: 'FAIL', detail: `${shown} is not a directory.`};
  if (!isWritable(path)) return {status: 'FAIL', detail: `${shown} is not writable.`};
  const problem = problemOf(() => write(path));
  if (problem !== undefined)
    return {status: 'FAIL', detail: `Nothing can be written to ${shown}: ${problem}.`};
  if (isOpen(stats))
    return {status: 'warn', detail: `Others can look into ${shown}: chmod 700 keeps them out.`};
  return {status: 'ok', detail: shown};
}

/** A full disk and a used up quota show only when something is written: about as much as a small database. */
function writeSomething(directory: string): void {
  const place = mkdtempSync(join(directory, '.doctor-'));
  try {
    writeFileSync(join(place, 'probe'), Buffer.alloc(256 * 1024, 1));
  } finally {
    rmSync(place, {recursive: true, force: true});
  }
}

function problemOf(body: () => void): string | undefined {
  try {
    body();
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOSPC') return 'the disk is full';
    return code === 'EDQUOT'
      ? 'your quota is used up'
      : String(error instanceof Error ? error.message : error);
  }
}

function isOpen({mode}: Stats): boolean {
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
