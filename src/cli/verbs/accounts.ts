import {existsSync, readFileSync, rmSync} from 'node:fs';
import {basename, join} from 'node:path';
import {noAccountText} from '#cli/account-access/lazy-account.ts';
import {unsentText} from '#cli/account-access/take-along-account.ts';
import {type CliIo, PlainFailure, printNotice, UsageError} from '#cli/io.ts';
import {requireYes} from '#cli/prompt.ts';
import {type AccountSource, accountSource} from '#config/load-account.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {accountDatabase, accountId, accountImages, displayPath, expandPath} from '#config/paths.ts';
import {ConfigError, errorCode, orConfigError} from '#config/private-files.ts';
import {readZuliprc} from '#config/zuliprc.ts';
import {errorText} from '#std/error-text.ts';
import {removeStore, unsentDataOf} from '#storage/remove-store.ts';
import {verbWithHelp} from './parse-verb-arguments.ts';
import type {VerbArguments, VerbResult} from './verb-table.ts';

export const accountsHelp = `parley accounts: list and manage the accounts on this machine

  parley accounts                   list the accounts (add one with "parley login")
  parley accounts default NAME      make NAME the default account
  parley accounts remove NAME       remove NAME, its API key and its saved messages from this machine

  --yes                  do not prompt
  --keep-data            remove NAME, but keep its saved messages, drafts and unsent messages
  --discard-unsent       with --yes: remove NAME also if messages of it are unsent
  --json                 print JSON
`;

/** As in `build/launcher.cjs`, which shows it. */
const firstFrameFile = 'first-frame';

export const accounts = verbWithHelp('accounts', accountsHelp, async ({values, words}, io) => {
  const store = new NamedAccounts(io.paths);
  const [action = 'list', ...names] = words;
  if (action === 'list' && names.length === 0) return list(store, io, values.json);
  if (action === 'default') {
    const name = existingName(store, action, names);
    store.setDefault(name);
    return {json: {default: name}, text: `“${name}” is now the default account.`};
  }
  if (action !== 'remove') {
    throw new UsageError('Use “parley accounts”, “parley accounts default NAME” or “parley accounts remove NAME”.');
  }
  return remove(store, existingName(store, action, names), io, values);
});

function existingName(store: NamedAccounts, action: string, names: readonly string[]): string {
  const [name] = names;
  if (name === undefined || names.length > 1) throw new UsageError(`“parley accounts ${action}” takes one name.`);
  if (!store.has(name)) throw new PlainFailure(store.unknownAccountText(name));
  return name;
}

function list(store: NamedAccounts, io: CliIo, isJson: boolean): VerbResult {
  const chosen = store.chosenDefault();
  const listed = store.names().map((name) => {
    const file = store.file(name);
    const zuliprc = orConfigError(() => readZuliprc(file, io.home));
    const common = {name, file, default: name === chosen};
    // A problem is why it cannot be used.
    if (zuliprc instanceof ConfigError) return {...common, problem: zuliprc.message};
    return {...common, email: zuliprc.email, site: zuliprc.site};
  });
  const used = orConfigError(() => accountSource(io));
  const width = Math.max(0, ...listed.map(({name}) => name.length));
  const lines = listed.map((account) => {
    const detail = 'problem' in account ? account.problem : `${account.email} at ${account.site}`;
    return `${account.default ? '*' : ' '} ${account.name.padEnd(width)}  ${detail}`;
  });
  return {
    json: {accounts: listed, used: used instanceof ConfigError ? null : (used ?? null)},
    text: lines.length === 0 ? undefined : lines.join('\n'),
    notice: isJson ? undefined : usedAccountText(used, listed.length, io),
  };
}

function usedAccountText(used: AccountSource | ConfigError | undefined, count: number, io: CliIo): string {
  if (used instanceof ConfigError) return used.message;
  if (used === undefined) return noAccountText;
  const file = displayPath(used.file, io.home);
  return `${count === 0 ? 'No named accounts. ' : ''}In use: ${file} (${used.why}).`;
}

type RemoveOptions = Pick<VerbArguments<'accounts'>['values'], 'yes' | 'discard-unsent' | 'keep-data'>;

/** Removes the account and what is saved of it on this machine. Unsent messages are never lost without being named. */
async function remove(store: NamedAccounts, name: string, io: CliIo, options: RemoveOptions): Promise<VerbResult> {
  const keepsData = options['keep-data'];
  const data = keepsData ? undefined : savedData(store, name, io);
  const unsent = data === undefined ? '' : lossText(data, name);
  if (unsent !== '' && options.yes && !options['discard-unsent']) {
    throw new PlainFailure(
      `“${name}” has ${unsent}. Nothing was removed. Send them first, or add --discard-unsent or --keep-data.`,
    );
  }
  if (!options.yes) await confirmRemoval(name, io, data !== undefined, unsent);
  if (data !== undefined && !removeStore(data)) throw inUseFailure(name);
  if (data !== undefined) {
    removeFirstFrame(data, io);
    rmSync(accountImages(io.paths, basename(data, '.db')), {recursive: true, force: true});
  }
  store.remove(name);
  const kept = keepsData ? ' Its saved messages, drafts and unsent messages stay on this machine.' : '';
  const what = data === undefined ? `account “${name}”` : `account “${name}” and its saved messages`;
  return {
    json: {removed: name, data: data === undefined ? 'kept' : 'removed'},
    text: `Removed ${what} from this machine.${kept} Its API key stays valid until you reset it on the server.`,
  };
}

/**
 * Removes an account, with what is unsent only if the user knows of it. Returns a sentence: that it was removed, or why not.
 */
export async function removeAccount(name: string, io: CliIo, isLossKnown: boolean): Promise<string> {
  try {
    const options = {yes: true, 'discard-unsent': isLossKnown, 'keep-data': false};
    return (await remove(new NamedAccounts(io.paths), name, io, options)).text ?? '';
  } catch (error) {
    return errorText(error);
  }
}

/** Returns the database of the account; undefined if it is unknown, or if another account on this machine uses it too. */
function savedData(store: NamedAccounts, name: string, io: CliIo): string | undefined {
  const databaseOf = (file: string) => {
    const zuliprc = orConfigError(() => readZuliprc(file, io.home));
    if (zuliprc instanceof ConfigError) return undefined;
    return accountDatabase(io.paths, accountId(zuliprc.site, zuliprc.email));
  };
  const database = databaseOf(store.file(name));
  const named = store.names().filter((other) => other !== name);
  const others = [...named.map((other) => store.file(other)), ...zuliprcFiles(io)];
  const sharing = database === undefined ? undefined : others.find((file) => databaseOf(file) === database);
  if (sharing !== undefined) {
    printNotice(io, `The saved messages stay: ${displayPath(sharing, io.home)} is of the same user.`);
  }
  if (database === undefined) printNotice(io, `The file of “${name}” is not readable: saved messages, if any, stay.`);
  return sharing === undefined ? database : undefined;
}

/** Returns the files that Parley uses without a named account. */
function zuliprcFiles({env, home, cwd}: CliIo): readonly string[] {
  const chosen = env.ZULIP_CONFIG === undefined ? [] : [expandPath(env.ZULIP_CONFIG, cwd, home)];
  return [...chosen, join(home, 'zuliprc'), join(home, '.zuliprc')].filter((file) => existsSync(file));
}

/** Returns what would be lost; an empty text if nothing is. */
function lossText(database: string, name: string): string {
  const unsent = unsentDataOf(database);
  if (unsent === 'inUse') throw inUseFailure(name);
  return unsent === 'damaged' ? 'a damaged database, which may have unsent messages' : unsentText(unsent);
}

function inUseFailure(name: string): PlainFailure {
  return new PlainFailure(`Parley is open with account “${name}”. Close it, then remove the account.`);
}

/** Removes the picture of the last screen, if it shows this account. */
function removeFirstFrame(database: string, {paths}: CliIo): void {
  const file = join(paths.cache, firstFrameFile);
  try {
    const [header = ''] = readFileSync(file, 'utf8').split('\n', 1);
    if (JSON.parse(header).database !== database) return;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    // Whose screen a damaged file shows is unknown.
  }
  rmSync(file, {force: true});
}

async function confirmRemoval(name: string, io: CliIo, hasData: boolean, unsent: string): Promise<void> {
  if (!io.inputIsTty) throw new UsageError(`Cannot prompt without a terminal. Add --yes to remove “${name}”.`);
  const what = hasData ? ', its API key and its saved messages' : ' and its API key';
  const lost = unsent === '' ? '' : ` It has ${unsent}: they will be lost.`;
  await requireYes(`Remove account “${name}”${what} from this machine?${lost}`, io);
}
