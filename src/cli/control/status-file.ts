import {lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import type {Paths} from '#config/paths.ts';

/** What status bars show of an open account. */
export interface AccountStatus {
  readonly account: string;
  readonly organization: string;
  /** The phase of the connection, such as `online`. */
  readonly connection: string;
  /** Unread messages outside of muted conversations. */
  readonly unread: number;
  readonly mentions: number;
  readonly direct: number;
  /** Messages in the outbox. */
  readonly unsent: number;
}

/** The status file of one running program. */
export interface ProgramStatus {
  readonly pid: number;
  readonly startedAt: number;
  /** The shown account is the first. */
  readonly accounts: readonly AccountStatus[];
}

interface StatusFile extends ProgramStatus {
  /** The machine, because homes may be shared between machines and containers. */
  readonly host: string;
  /** When the system started the process: another process may have the same number later. */
  readonly mark: string;
}

/** Returns the folder with the sockets and status files of the user's running programs. */
export function controlFolder({runtime}: Pick<Paths, 'runtime'>): string {
  return join(runtime, 'control');
}

export function controlSocketName(pid: number): string {
  return `${pid}.sock`;
}

/** Replaces the status file of this process. It is not synced to the disk: no status outlives the process. */
export function writeStatusFile(folder: string, status: ProgramStatus): void {
  const file: StatusFile = {...status, host: hostname(), mark: processMark(status.pid)};
  const path = join(folder, `${status.pid}.json`);
  rmSync(`${path}.new`, {force: true});
  writeFileSync(`${path}.new`, JSON.stringify(file), {mode: 0o600, flag: 'wx'});
  renameSync(`${path}.new`, path);
}

export function removeControlFiles(folder: string, pid: number): void {
  for (const name of [`${pid}.json`, `${pid}.json.new`, controlSocketName(pid)])
    rmSync(join(folder, name), {force: true});
}

/** Removes what programs of this machine left that ended without doing so. */
export function removeStaleFiles(folder: string): void {
  for (const file of statusFiles(folder))
    if (file.host === hostname() && !isRunning(file)) removeControlFiles(folder, file.pid);
}

/** Returns the running programs, the last started first. */
export function runningPrograms(folder: string): readonly ProgramStatus[] {
  return statusFiles(folder)
    .filter((file) => file.host === hostname() && isRunning(file))
    .sort((one, other) => other.startedAt - one.startedAt)
    .map(({pid, startedAt, accounts}) => ({pid, startedAt, accounts}));
}

function statusFiles(folder: string): readonly StatusFile[] {
  const stats = lstatSync(folder, {throwIfNoEntry: false});
  if (stats === undefined || !stats.isDirectory() || stats.uid !== process.getuid?.()) return [];
  return readdirSync(folder)
    .filter((name) => /^\d+\.json$/.test(name))
    .flatMap((name) => {
      try {
        const file: StatusFile = JSON.parse(readFileSync(join(folder, name), 'utf8'));
        return `${file.pid}.json` === name && Array.isArray(file.accounts) && file.accounts.length > 0 ? [file] : [];
      } catch {
        // It was removed just now, or something else wrote it.
        return [];
      }
    });
}

function isRunning({pid, mark}: StatusFile): boolean {
  try {
    return process.kill(pid, 0) && processMark(pid) === mark;
  } catch {
    return false;
  }
}

/** Returns the start time of a process as Linux counts it; an empty text where there is none. */
function processMark(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program is in parentheses and may contain spaces. The time is the 20th word after it.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
