import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {ConfigError} from './config-error.ts';
import {type AccountEnvironment, type LoadedAccount, loadAccount} from './load-account.ts';
import {NamedAccounts} from './named-accounts.ts';
import {expandPath, pathsOf} from './paths.ts';

export interface AccountRequest extends AccountEnvironment {
  /** `--config FILE` */
  readonly config?: string | undefined;
  /** `--account NAME` */
  readonly account?: string | undefined;
  readonly cwd: string;
}

/** The zuliprc file of an account, and the reason why it was chosen. */
export interface AccountSource {
  readonly name: string;
  readonly file: string;
  readonly why: string;
}

export interface ResolvedAccount extends LoadedAccount {
  readonly why: string;
}

/**
 * Returns the account to use, or undefined when the user has none. Throws a ConfigError when the chosen one
 * is unusable.
 */
export function resolveAccount(choice: AccountRequest): ResolvedAccount | undefined {
  const source = accountSource(choice);
  return source === undefined ? undefined : {...loadAccount(source.file, source.name, choice), why: source.why};
}

export function accountSource(choice: AccountRequest): AccountSource | undefined {
  const {env, home, cwd} = choice;
  const store = new NamedAccounts(pathsOf(env, home));
  if (choice.config !== undefined) {
    return {name: choice.config, file: expandPath(choice.config, cwd, home), why: '--config'};
  }
  if (choice.account !== undefined) return named(store, choice.account, '--account');
  if (env.ZULIP_CONFIG) {
    return {name: env.ZULIP_CONFIG, file: expandPath(env.ZULIP_CONFIG, cwd, home), why: '$ZULIP_CONFIG'};
  }
  return defaultSource(store, home);
}

function defaultSource(store: NamedAccounts, home: string): AccountSource | undefined {
  const chosen = store.chosenDefault();
  // Falling back to another account could send messages under the wrong name.
  if (chosen !== undefined) return named(store, chosen, 'the default account');
  const names = store.names();
  const [first] = names;
  if (first !== undefined && names.length === 1) return named(store, first, 'the only account');
  for (const file of ['zuliprc', '.zuliprc']) {
    const path = join(home, file);
    if (existsSync(path)) return {name: `~/${file}`, file: path, why: `found ~/${file}`};
  }
  if (first === undefined) return undefined;
  throw new ConfigError(
    `Several accounts exist (${names.join(', ')}) and none is the default. Choose one with “parley accounts default NAME”.`,
  );
}

function named(store: NamedAccounts, name: string, why: string): AccountSource {
  if (store.has(name)) return {name, file: store.file(name), why};
  const message = store.unknownAccountText(name);
  throw new ConfigError(
    why === '--account' ? message : `${message} It is ${why}. Choose another with “parley accounts default NAME”.`,
  );
}
