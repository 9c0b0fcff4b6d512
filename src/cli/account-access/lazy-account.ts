import {statSync} from 'node:fs';
import type {Api} from '#api/api.ts';
import {PermanentFailure} from '#api/failure.ts';
import {embeddedDirectory, persistedDemoAccount} from '#cli/embedded/persisted-demo-account.ts';
import type {CliIo} from '#cli/io.ts';
import {ConfigError} from '#config/config-error.ts';
import type {Account} from '#config/load-account.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {makeLazyApi} from './lazy-api.ts';
import {type AccountFlags, demoName, type OpenAccount, resolveAccountFlags} from './open-account.ts';

/** An account that connects to its server with the first request, so that the first frame need not wait for it. */
export interface LazyAccount {
  /** The name of the account's files on disk. */
  readonly id: string;
  readonly name: string;
  /** Lines for the user about permissions that were repaired or should be. */
  readonly notices: readonly string[];
  readonly isDemo: boolean;
  /** Connects with the first request. */
  readonly api: Api;
  /** The server and address for a new login; undefined for the demo, which needs none. */
  readonly login: {readonly site: string; readonly email: string} | undefined;
  /** Reads the account's files again, so that the next request uses a new API key. */
  renewKey(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the account that the flags, environment and files name, or else the demo. Makes no request, except that a demo
 * that never ran is created first. Calls `onRestart` when the demo's server was restarted, perhaps at another address.
 */
export async function openLazyAccount(flags: AccountFlags, io: CliIo, onRestart: () => void): Promise<LazyAccount> {
  const resolved = resolveAccountFlags(flags, io);
  if (resolved === undefined) return openLazyDemo(io, onRestart);
  let {account} = resolved;
  const {id, name, site, email} = account;
  const lazy = makeLazyApi(site, () => withApiFailures(() => apiOf(account, io)));
  const renewKey = async () => {
    account = withNewestKey(account, flags, io);
    await lazy.reset();
  };
  const {notices} = resolved;
  return {
    id,
    name,
    notices,
    isDemo: false,
    api: lazy.api,
    login: {site, email},
    renewKey,
    close: lazy.close,
  };
}

/**
 * Returns the account with its newest key. A login is saved under a name even if the account was opened from
 * another file, so all files of the account are compared by their time.
 */
function withNewestKey(account: Account, flags: AccountFlags, io: CliIo): Account {
  const named = new NamedAccounts(pathsOf(io.env, io.home)).names().map((name) => ({account: name}));
  const candidates = [flags, ...named].flatMap((each) => accountIn(each, io) ?? []);
  const [newest = account] = candidates.filter(({id}) => id === account.id).sort((a, b) => writtenAt(b) - writtenAt(a));
  return {...newest, name: account.name};
}

/** Ignores errors in the files: the request with the old key reports the problem. */
function accountIn(flags: AccountFlags, io: CliIo): Account | undefined {
  try {
    return resolveAccountFlags(flags, io)?.account;
  } catch {
    return undefined;
  }
}

function writtenAt({file}: Account): number {
  return file === undefined ? 0 : (statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? 0);
}

async function openLazyDemo(io: CliIo, onRestart: () => void): Promise<LazyAccount> {
  let opening: Promise<OpenAccount> | undefined;
  const opened = (): Promise<OpenAccount> => {
    opening ??= openDemo(io, () => void lazy.reset().then(onRestart)).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const lazy = makeLazyApi('http://127.0.0.1', () => withApiFailures(async () => apiOf((await opened()).account, io)));
  const persisted = persistedDemoAccount(embeddedDirectory(pathsOf(io.env, io.home)));
  const id = persisted?.id ?? (await opened()).account.id;
  const close = async () => {
    await lazy.close();
    await (await opening)?.release();
  };
  const renewKey = () => lazy.reset();
  return {
    id,
    name: demoName,
    notices: [],
    isDemo: true,
    api: lazy.api,
    login: undefined,
    renewKey,
    close,
  };
}

async function openDemo({env, home, clock}: CliIo, onRestart: () => void): Promise<OpenAccount> {
  const {openEmbeddedServer} = await import('#cli/embedded/embedded-server.ts');
  return openEmbeddedServer({paths: pathsOf(env, home), env, clock, onRestart});
}

async function apiOf(account: Account, io: CliIo): Promise<Api> {
  const [{makeApi}, {connect}] = await Promise.all([import('#api/api.ts'), import('./connect.ts')]);
  return makeApi(await connect(account, io));
}

/** Turns a ConfigError (such as a key_command that fails) into a failure of the API, which the screen can show. */
async function withApiFailures<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new PermanentFailure(error.message, {
      endpoint: 'connect',
      carriedOut: 'no',
      code: 'CANNOT_CONNECT',
    });
  }
}
