import {lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {PlainFailure, UsageError} from '#cli/io.ts';
import {type Env, type Paths, pathsOf} from '#config/paths.ts';
import {printableJson, printableLine} from '#std/printable.ts';

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

/** Which running program is meant. */
export interface ProgramChoice {
  readonly pid?: number | undefined;
  readonly account?: string | undefined;
}

interface StatusOptions extends ProgramChoice {
  readonly format?: string | undefined;
  readonly json?: boolean | undefined;
}

type Fields = Readonly<Record<string, string | number>>;

/** Returns the line that `parley ctl status` prints. It reads nothing but the status files. */
export function statusText({format, json, ...choice}: StatusOptions, env: Env, home: string): string {
  const {program, account} = chooseProgram(choice, env, home);
  if (format !== undefined) return formatStatus(format, fieldsOf(program, account));
  if (json === true)
    return printableJson({...account, pid: program.pid, startedAt: program.startedAt, accounts: program.accounts}, 2);
  const {unread, mentions, connection} = account;
  return printableLine(`${account.account}: ${connection}, ${unread} unread, ${mentions} mentions`);
}

/** Returns the chosen program, or the one that was started last, and its chosen or shown account. */
export function chooseProgram(
  {pid, account}: ProgramChoice,
  env: Env,
  home: string,
): {readonly program: ProgramStatus; readonly account: AccountStatus} {
  const running = runningPrograms(controlFolder(pathsOf(env, home)));
  if (running.length === 0) throw new PlainFailure('No Parley with a control socket is running.');
  for (const program of running) {
    const chosen =
      account === undefined ? program.accounts[0] : program.accounts.find((each) => each.account === account);
    if (chosen !== undefined && (pid === undefined || pid === program.pid)) return {program, account: chosen};
  }
  const wanted = [
    ...(pid === undefined ? [] : [`with the number ${pid}`]),
    ...(account === undefined ? [] : [`with the account “${account}”`]),
  ];
  throw new PlainFailure(`No Parley ${wanted.join(' and ')} is running.`);
}

function fieldsOf(
  {pid, accounts}: ProgramStatus,
  {account, organization, connection, ...counts}: AccountStatus,
): Fields {
  const sum = (name: 'unread' | 'mentions') => accounts.reduce((total, each) => total + each[name], 0);
  const texts = {account: safeText(account), organization: safeText(organization), connection};
  return {...texts, ...counts, all_unread: sum('unread'), all_mentions: sum('mentions'), pid};
}

/** The names of the fields of a format. */
export const statusFields: readonly string[] = [
  ...['account', 'organization', 'connection', 'unread', 'mentions', 'direct', 'unsent'],
  ...['all_unread', 'all_mentions', 'pid'],
];

/** Replaces the characters with which tmux, polybar and others begin commands: the text comes from a server. */
function safeText(text: string): string {
  return printableLine(text).replaceAll(/[#%{}[\]<>$`\\]/g, '_');
}

/**
 * The parts of a format: a character after a backslash; styles of tmux and polybar, which stay as they are; a field; the
 * brackets of a part that is left out while all its fields are zero or empty.
 */
const formatParts = /\\(.)|[#%]\{[^}]*\}|#\[[^\]]*\]|\{([^{}]*)\}|[[\]]/gsu;

/** Returns the format with its fields. Throws a UsageError when it has an unknown field. */
export function formatStatus(format: string, fields: Fields): string {
  let text = '';
  let at = 0;
  let optional: {readonly start: number; isNeeded: boolean} | undefined;
  for (const match of format.matchAll(formatParts)) {
    const [part, escaped, field] = match;
    text += format.slice(at, match.index);
    at = match.index + part.length;
    if (escaped !== undefined) text += escaped === 'n' ? '\n' : escaped;
    else if (field !== undefined) {
      if (!Object.hasOwn(fields, field))
        throw new UsageError(`There is no field “${field}”. Fields: ${statusFields.join(', ')}.`);
      const value = fields[field] ?? '';
      if (optional !== undefined && value !== 0 && value !== '') optional.isNeeded = true;
      text += value;
    } else if (part === '[' && optional === undefined) optional = {start: text.length, isNeeded: false};
    else if (part === ']' && optional !== undefined) {
      if (!optional.isNeeded) text = text.slice(0, optional.start);
      optional = undefined;
    } else if (part === '[' || part === ']')
      throw new UsageError(`The format has a “${part}” without its pair. Write “\\${part}” for the character.`);
    else text += part;
  }
  if (optional !== undefined)
    throw new UsageError('The format has a “[” without its pair. Write “\\[” for the character.');
  return text + format.slice(at);
}
