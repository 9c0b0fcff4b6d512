import {PlainFailure, UsageError} from '#cli/failures.ts';
import {type Env, pathsOf} from '#config/paths.ts';
import {printableJson, printableLine} from '#std/printable.ts';
import {type AccountStatus, controlFolder, type ProgramStatus, runningPrograms} from './status-file.ts';

/** Which running program is meant. */
export interface ProgramChoice {
  readonly pid?: number | undefined;
  readonly account?: string | undefined;
}

export interface StatusOptions extends ProgramChoice {
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
