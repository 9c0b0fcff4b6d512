import {parseArgs} from 'node:util';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure, reportFailure} from '#cli/failures.ts';
import {type CliIo, print, printJson, printNotice, write} from '#cli/io.ts';
import {Prompt} from '#cli/login/prompt.ts';
import {asUsageError, UsageError} from '#cli/usage-error.ts';
import {ConfigError} from '#config/config-error.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {displayPath, pathsOf} from '#config/paths.ts';
import {readSmallFile} from '#config/private-files.ts';
import {type AccountSource, accountSource} from '#config/resolve-account.ts';
import {parseZuliprc} from '#config/zuliprc.ts';

export const accountsHelp = `parley accounts: list and manage the accounts on this machine

  parley accounts                   list the accounts (add one with "parley login")
  parley accounts default NAME      make NAME the default account
  parley accounts remove NAME       remove NAME and its API key from this machine; --yes skips the prompt

  --json                 print JSON
`;

const flags = {
  json: {type: 'boolean'},
  yes: {type: 'boolean', short: 'y'},
  help: {type: 'boolean', short: 'h'},
} as const;

export async function accounts(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  try {
    const {values, positionals} = parse(argv);
    if (values.help === true) {
      write(io, accountsHelp);
      return exitCodes.ok;
    }
    const store = new NamedAccounts(pathsOf(io.env, io.home));
    const json = values.json === true;
    const [action = 'list', ...names] = positionals;
    if (action === 'list' && names.length === 0) list(store, io, json);
    else if (action === 'default') setDefault(store, existingName(store, action, names), io, json);
    else if (action === 'remove')
      await remove(store, existingName(store, action, names), io, {json, yes: values.yes === true});
    else
      throw new UsageError('Use “parley accounts”, “parley accounts default NAME” or “parley accounts remove NAME”.');
    return exitCodes.ok;
  } catch (error) {
    return reportFailure(io, error);
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({args: [...argv], options: flags, allowPositionals: true});
  } catch (error) {
    throw asUsageError(error, '“parley accounts --help” lists the options.');
  }
}

function existingName(store: NamedAccounts, action: string, names: readonly string[]): string {
  const [name] = names;
  if (name === undefined || names.length > 1) throw new UsageError(`“parley accounts ${action}” takes one name.`);
  if (!store.has(name)) throw new PlainFailure(store.unknownAccountText(name));
  return name;
}

interface ListedAccount {
  readonly name: string;
  readonly file: string;
  readonly default: boolean;
  readonly email?: string;
  readonly site?: string;
  /** The reason why it cannot be used. */
  readonly problem?: string;
}

function list(store: NamedAccounts, io: CliIo, json: boolean): void {
  const chosen = store.chosenDefault();
  const listed = store.names().map((name) => listedAccount(store, name, name === chosen, io));
  const used = currentSource(io);
  if (json) {
    printJson(io, {accounts: listed, used: used instanceof ConfigError ? null : (used ?? null)});
    return;
  }
  const width = Math.max(0, ...listed.map(({name}) => name.length));
  for (const account of listed) {
    const mark = account.default ? '*' : ' ';
    print(io, `${mark} ${account.name.padEnd(width)}  ${account.problem ?? `${account.email} at ${account.site}`}`);
  }
  printNotice(io, usedAccountText(used, listed.length, io));
}

function listedAccount(store: NamedAccounts, name: string, isDefault: boolean, io: CliIo): ListedAccount {
  const file = store.file(name);
  try {
    const {email, site} = parseZuliprc(readSmallFile(file), file, io.home);
    return {name, file, default: isDefault, email, site};
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {name, file, default: isDefault, problem: error.message};
  }
}

function currentSource(io: CliIo): AccountSource | ConfigError | undefined {
  const {env, home, cwd, clock} = io;
  try {
    return accountSource({env, home, cwd, clock});
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function usedAccountText(used: AccountSource | ConfigError | undefined, count: number, io: CliIo): string {
  if (used instanceof ConfigError) return used.message;
  if (used === undefined)
    return 'No account is set up: Parley uses the demo organization. Add yours with “parley login”.';
  const file = displayPath(used.file, io.home);
  return `${count === 0 ? 'No named accounts. ' : ''}In use: ${file} (${used.why}).`;
}

function setDefault(store: NamedAccounts, name: string, io: CliIo, json: boolean): void {
  store.setDefault(name);
  if (json) printJson(io, {default: name});
  else print(io, `“${name}” is now the default account.`);
}

/** Removes the account. Its database (drafts, outbox) stays and is used again after another login. */
async function remove(
  store: NamedAccounts,
  name: string,
  io: CliIo,
  {json, yes}: {json: boolean; yes: boolean},
): Promise<void> {
  if (!yes) await confirmRemoval(name, io);
  store.remove(name);
  if (json) printJson(io, {removed: name});
  else
    print(io, `Removed account “${name}” from this machine. Its API key stays valid until you reset it on the server.`);
}

async function confirmRemoval(name: string, io: CliIo): Promise<void> {
  if (!io.inputIsTty) throw new UsageError(`Cannot prompt without a terminal. Add --yes to remove “${name}”.`);
  const prompt = new Prompt(io);
  try {
    if (await prompt.confirm(`Remove account “${name}” and its API key from this machine?`)) return;
  } finally {
    prompt.close();
  }
  throw new PlainFailure('Cancelled. Nothing was changed.');
}
