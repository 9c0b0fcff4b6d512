import {accountId} from './account-id.ts';
import {ConfigError} from './config-error.ts';
import {type KeyCommandEnvironment, keyFromCommand} from './key-command.ts';
import {othersMayWrite, readSmallFile, repairSecretFile} from './private-files.ts';
import {parseZuliprc, type TlsFiles, type Zuliprc} from './zuliprc.ts';

/** Who to be, where. The key is asked for when it is needed, and is in no property that could be printed. */
export interface Account {
  /** Names the files that are kept for this account. */
  readonly id: string;
  /** What the user calls it. */
  readonly name: string;
  /** The zuliprc it comes from. */
  readonly file?: string;
  readonly site: string;
  readonly email: string;
  readonly key: () => Promise<string>;
  readonly tls: TlsFiles;
}

export interface LoadedAccount {
  readonly account: Account;
  /** Lines for the user: what was repaired, what should be. */
  readonly notices: readonly string[];
}

export type AccountEnvironment = KeyCommandEnvironment & {readonly home: string};

/** The account in a zuliprc; throws a sentence when there is none. */
export function loadAccount(file: string, name: string, around: AccountEnvironment): LoadedAccount {
  const zuliprc = parseZuliprc(readSmallFile(file), file, around.home);
  const notice = zuliprc.key === undefined ? undefined : repairSecretFile(file);
  if (zuliprc.key === undefined && othersMayWrite(file)) {
    throw new ConfigError(
      `Others can change ${file}, so its key_command is not run. Make it yours alone: chmod 600.`,
    );
  }
  return {account: accountOf(zuliprc, name, file, around), notices: notice === undefined ? [] : [notice]};
}

function accountOf(zuliprc: Zuliprc, name: string, file: string, around: AccountEnvironment): Account {
  const {site, email, tls} = zuliprc;
  return {id: accountId(site, email), name, file, site, email, tls, key: apiKeyGetter(zuliprc, file, around)};
}

/** A key in the file wins over a command. The command runs at most once, unless it fails. */
export function apiKeyGetter(
  {key, keyCommand}: Zuliprc,
  file: string,
  around: AccountEnvironment,
): () => Promise<string> {
  let printed: Promise<string> | undefined;
  return async () => {
    if (key !== undefined) return key.reveal();
    if (keyCommand === undefined) throw new ConfigError(`${file} has no key.`);
    printed ??= keyFromCommand(keyCommand, file, around).catch((error: unknown) => {
      printed = undefined;
      throw error;
    });
    return printed;
  };
}
