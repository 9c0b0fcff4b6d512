import {spawn} from 'node:child_process';
import {existsSync, statSync} from 'node:fs';
import {join} from 'node:path';
import type {Clock} from '#std/clock.ts';
import {NamedAccounts} from './named-accounts.ts';
import {accountId, type Env, expandPath, pathsOf} from './paths.ts';
import {ConfigError, checkCommandFile, repairSecretFile} from './private-files.ts';
import {readZuliprc, type TlsFiles, type Zuliprc} from './zuliprc.ts';

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
  /** Whether the key is in the file, so that another one can be saved there. */
  readonly hasKeyInFile?: boolean;
  readonly tls: TlsFiles;
}

/** What running a key_command requires. */
interface AccountEnvironment {
  readonly env: Env;
  readonly home: string;
  readonly clock: Clock;
  /** 60 seconds by default: a password manager may be waiting for the user to type. */
  readonly timeoutMs?: number;
}

/** Reads the account in a zuliprc. Throws a ConfigError when the file has none. */
export function loadAccount(file: string, name: string, environment: AccountEnvironment) {
  const zuliprc = readZuliprc(file, environment.home);
  const notice = zuliprc.key === undefined ? undefined : repairSecretFile(file);
  if (zuliprc.key === undefined) checkCommandFile(file);
  const {site, email, tls} = zuliprc;
  const key = apiKeyGetter(zuliprc, file, environment);
  const account: Account = {
    id: accountId(site, email),
    name,
    file,
    site,
    email,
    tls,
    key,
    hasKeyInFile: zuliprc.key !== undefined && statSync(file).isFile(),
  };
  /** The notices are lines for the user about permissions that were repaired or should be. */
  return {account, notices: notice === undefined ? [] : [notice]};
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

const maxOutputLength = 64 * 1024;

/**
 * Runs the command with `/bin/sh` and returns the first line that it prints, which is the API key. The command gets no
 * standard input, because that belongs to the verb. Its standard output never appears in an error message.
 */
function keyFromCommand(command: string, file: string, environment: AccountEnvironment): Promise<string> {
  const timeoutMs = environment.timeoutMs ?? 60_000;
  const {promise, resolve, reject} = Promise.withResolvers<string>();
  const child = spawn('/bin/sh', ['-c', command], {env: environment.env, stdio: ['ignore', 'pipe', 'pipe']});
  const output = collect(child.stdout);
  const errors = collect(child.stderr);
  const fail = (problem: string) => reject(new ConfigError(`The key_command of ${file} ${problem}`));
  const cancel = environment.clock.after(timeoutMs, () => {
    fail(`did not finish within ${Math.round(timeoutMs / 1000)} seconds.`);
    child.kill('SIGKILL');
    // Processes that the command started may survive and keep these streams open.
    child.stdout.destroy();
    child.stderr.destroy();
  });
  child.once('error', (error) => fail(`could not be started: ${error.message}. Check the command.`));
  child.once('close', (code, signal) => {
    if (code !== 0) return fail(`failed (${signal ?? `exit code ${code}`})${firstErrorLine(errors())}.`);
    const key = output().split(/\r?\n/, 1)[0]?.trim() ?? '';
    if (key === '') return fail('printed nothing. It must print the API key.');
    if (!/^[\x21-\x7e]+$/.test(key)) return fail('printed something other than an API key.');
    resolve(key);
  });
  return promise.finally(cancel);
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (text.length < maxOutputLength) text += chunk;
  });
  return () => text;
}

function firstErrorLine(errors: string): string {
  const line = errors.split(/\r?\n/).find((candidate) => candidate.trim() !== '');
  if (line === undefined) return '';
  return `: ${line
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 200)
    .replace(/\.$/, '')}`;
}

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

export type ResolvedAccount = NonNullable<ReturnType<typeof resolveAccount>>;

/**
 * Returns the account to use, or undefined when the user has none. Throws a ConfigError when the chosen one
 * is unusable.
 */
export function resolveAccount(choice: AccountRequest) {
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
