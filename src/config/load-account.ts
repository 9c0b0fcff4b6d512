import {accountId} from './account-id.ts';
import {checkCommandFile} from './check-command-file.ts';
import {ConfigError} from './config-error.ts';
import {type KeyCommandEnvironment, keyFromCommand} from './key-command.ts';
import {readSmallFile, repairSecretFile} from './private-files.ts';
import {parseZuliprc, type TlsFiles, type Zuliprc} from './zuliprc.ts';

/** A user on a server. The API key is a function, so that printing an account never shows the key. */
export interface Account {
  /** The name of this account's files on disk. */
  readonly id: string;
  /** The name that the user gave the account. */
  readonly name: string;
  /** The zuliprc file that the account was read from. */
  readonly file?: string;
  readonly site: string;
  readonly email: string;
  readonly key: () => Promise<string>;
  readonly tls: TlsFiles;
}

export interface LoadedAccount {
  readonly account: Account;
  /** Lines for the user about permissions that were repaired or should be. */
  readonly notices: readonly string[];
}

export type AccountEnvironment = KeyCommandEnvironment & {readonly home: string};

/** Reads the account in a zuliprc. Throws a ConfigError when the file has none. */
export function loadAccount(file: string, name: string, environment: AccountEnvironment): LoadedAccount {
  const zuliprc = parseZuliprc(readSmallFile(file), file, environment.home);
  const notice = zuliprc.key === undefined ? undefined : repairSecretFile(file);
  if (zuliprc.key === undefined) checkCommandFile(file);
  return {
    account: accountOf(zuliprc, name, file, environment),
    notices: notice === undefined ? [] : [notice],
  };
}

function accountOf(zuliprc: Zuliprc, name: string, file: string, environment: AccountEnvironment): Account {
  const {site, email, tls} = zuliprc;
  return {
    id: accountId(site, email),
    name,
    file,
    site,
    email,
    tls,
    key: apiKeyGetter(zuliprc, file, environment),
  };
}

/**
 * Returns a function that gives the API key. A key in the file wins over a command. The command runs once;
 * after a failure it runs again.
 */
export function apiKeyGetter(
  {key, keyCommand}: Zuliprc,
  file: string,
  environment: AccountEnvironment,
): () => Promise<string> {
  let keyPromise: Promise<string> | undefined;
  return async () => {
    if (key !== undefined) return key.reveal();
    if (keyCommand === undefined) throw new ConfigError(`${file} has no key.`);
    keyPromise ??= keyFromCommand(keyCommand, file, environment).catch((error: unknown) => {
      keyPromise = undefined;
      throw error;
    });
    return keyPromise;
  };
}
