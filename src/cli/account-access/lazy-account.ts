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

/** An account whose server nobody has spoken to yet. */
export interface LazyAccount {
  /** Names the files that are kept for it. */
  readonly id: string;
  readonly name: string;
  /** Lines for the user: what was repaired, what should be. */
  readonly notices: readonly string[];
  readonly isDemo: boolean;
  /** Connects with the first request. */
  readonly api: Api;
  /** Where somebody can get a new key; undefined where nobody needs one. */
  readonly login: {readonly site: string; readonly email: string} | undefined;
  /** There may be a new key: the next request goes out with it. */
  renewKey(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The account that the flags, the environment and the files name; without any, the demo. Nothing is asked of anybody, except
 * that a demo which never ran has to be made first. `onRestart`: the demo's server is back, perhaps at another address.
 */
export async function openLazyAccount(
  flags: AccountFlags,
  io: CliIo,
  onRestart: () => void,
): Promise<LazyAccount> {
  const resolved = resolveAccountFlags(flags, io);
  if (resolved === undefined) return openLazyDemo(io, onRestart);
  let {account} = resolved;
  const {id, name, site, email} = account;
  const late = makeLazyApi(site, () => withApiFailures(() => apiOf(account, io)));
  const renew = async () => {
    account = renewed(account, flags, io);
    await late.reset();
  };
  const {notices} = resolved;
  return {
    id,
    name,
    notices,
    isDemo: false,
    api: late.api,
    login: {site, email},
    renewKey: renew,
    close: late.close,
  };
}

/** A login is kept under a name, also when the account was opened from a file of the user's own: what is newest counts. */
function renewed(account: Account, flags: AccountFlags, io: CliIo): Account {
  const named = new NamedAccounts(pathsOf(io.env, io.home)).names().map((name) => ({account: name}));
  const found = [flags, ...named].flatMap((each) => accountIn(each, io) ?? []);
  const [newest = account] = found
    .filter(({id}) => id === account.id)
    .sort((a, b) => writtenAt(b) - writtenAt(a));
  return {...newest, name: account.name};
}

/** What is wrong with one is told by what is asked with the old key. */
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
    opening ??= openDemo(io, () => void late.reset().then(onRestart)).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const late = makeLazyApi('http://127.0.0.1', () =>
    withApiFailures(async () => apiOf((await opened()).account, io)),
  );
  const known = persistedDemoAccount(embeddedDirectory(pathsOf(io.env, io.home)));
  const id = known?.id ?? (await opened()).account.id;
  const close = async () => {
    await late.close();
    await (await opening)?.release();
  };
  const renew = () => late.reset();
  return {
    id,
    name: demoName,
    notices: [],
    isDemo: true,
    api: late.api,
    login: undefined,
    renewKey: renew,
    close,
  };
}

async function openDemo({env, home, clock}: CliIo, onRestart: () => void): Promise<OpenAccount> {
  const {openEmbeddedServer: embeddedServer} = await import('#cli/embedded/embedded-server.ts');
  return embeddedServer({paths: pathsOf(env, home), env, clock, onRestart});
}

async function apiOf(account: Account, io: CliIo): Promise<Api> {
  const [{makeApi}, {connect}] = await Promise.all([import('#api/api.ts'), import('./connect.ts')]);
  return makeApi(await connect(account, io));
}

/** What is wrong on this machine (a key's command that fails) is told as what a server says would be. */
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
