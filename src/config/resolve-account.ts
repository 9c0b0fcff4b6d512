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

/** Where the account comes from, and why that one. */
export interface AccountSource {
  readonly name: string;
  readonly file: string;
  readonly why: string;
}

export interface ResolvedAccount extends LoadedAccount {
  readonly why: string;
}

/** The account to use; undefined when the user has none at all. Throws a sentence when the one they mean is not usable. */
export function resolveAccount(choice: AccountRequest): ResolvedAccount | undefined {
  const source = accountSource(choice);
  return source === undefined
    ? undefined
    : {...loadAccount(source.file, source.name, choice), why: source.why};
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
  // Going on with another account than the one that was chosen could send in the wrong name.
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
    `There are several accounts (${names.join(', ')}) and none is the default: “parley accounts default NAME” chooses.`,
  );
}

function named(store: NamedAccounts, name: string, why: string): AccountSource {
  if (store.has(name)) return {name, file: store.file(name), why};
  const sentence = store.unknownAccountText(name);
  throw new ConfigError(
    why === '--account'
      ? sentence
      : `${sentence} It was ${why}; “parley accounts default NAME” chooses another.`,
  );
}
