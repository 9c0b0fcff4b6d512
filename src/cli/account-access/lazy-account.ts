import {readdirSync, statSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import type {Api} from '#api/api.ts';
import type {EmbeddedOptions} from '#cli/embedded/embedded-server.ts';
import {embeddedDirectory, persistedDemoAccount} from '#cli/embedded/persisted-demo-account.ts';
import {type CliIo, printNotice, UsageError} from '#cli/io.ts';
import {type Restriction, refuseOverSsh} from '#cli/restriction.ts';
import {type Account, type ResolvedAccount, resolveAccount} from '#config/load-account.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {accountDatabase, accountId, accountIdStart} from '#config/paths.ts';
import {ConfigError, orConfigError} from '#config/private-files.ts';
import {replaceKey as replaceKeyInFile} from '#config/zuliprc.ts';
import {PermanentFailure} from '#wire/failure.ts';

interface OpenAccount {
  readonly account: Account;
  /** Ends the use of the account. The demo's server stops some seconds after its last user. */
  release(): Promise<void>;
}

export interface AccountFlags {
  /** `--config FILE` */
  readonly config?: string | undefined;
  /** `--account NAME`; “demo” means the demo organization unless an account has that name. */
  readonly account?: string | undefined;
}

/** A callback for long-running programs: the demo's server was restarted, perhaps at another address. */
type DemoRestartListener = Pick<EmbeddedOptions, 'onRestart'>;

export const demoName = 'demo';

/** The sentence where an account is needed and there is none. */
export const noAccountText =
  'No account is set up. Add one with “parley login”, or use the demo organization with “--account demo”.';

/**
 * Opens the account that the flags, environment and files name. The demo organization must be named: a script whose account
 * is missing must not send to it and report success.
 */
export async function openAccount(
  flags: AccountFlags,
  io: CliIo,
  watch: DemoRestartListener = {},
): Promise<OpenAccount> {
  const resolved = resolveAccountFlags(flags, io);
  if (resolved === undefined && flags.account !== demoName) throw new ConfigError(noAccountText);
  if (resolved === undefined) return openDemoServer(io, watch);
  for (const line of [...resolved.notices, ...(await formerAddressNotices(resolved.account, io))])
    printNotice(io, line);
  return {account: resolved.account, release: async () => {}};
}

/** Takes along the data of the same account at a former address of its server, and returns lines that say so. */
async function formerAddressNotices(account: Account, io: CliIo): Promise<readonly string[]> {
  const own = accountDatabase(io.paths, account.id);
  const names = namesIn(dirname(own));
  const start = `${accountIdStart(account.email.toLowerCase())}-`;
  const others = names.filter((name) => name.startsWith(start) && name.endsWith('.db') && name !== basename(own));
  if (others.length === 0) return [];
  const {takeAlongMovedAccount} = await import('./take-along-account.ts');
  return takeAlongMovedAccount(
    account,
    others.map((name) => join(dirname(own), name)),
    io,
  );
}

/** Returns the names in a folder; none if it cannot be read, which opening the database reports. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function resolveAccountFlags(flags: AccountFlags, io: CliIo): ResolvedAccount | undefined {
  // Silently preferring one of them could send messages under the wrong name.
  if (flags.config !== undefined && flags.account !== undefined) {
    throw new UsageError('Use either --account or --config, not both.');
  }
  if (io.restriction !== undefined) return connectionAccount(flags, io, io.restriction);
  const {env, home, cwd, clock, paths} = io;
  const wantsDemo = flags.config === undefined && flags.account === demoName;
  if (wantsDemo && !new NamedAccounts(paths).has(demoName)) return undefined;
  return resolveAccount({...flags, env, home, cwd, clock});
}

/** Returns the account of a session over SSH, the only one that it has. */
function connectionAccount(flags: AccountFlags, io: CliIo, {account}: Restriction): ResolvedAccount {
  if (flags.account !== undefined || flags.config !== undefined) refuseOverSsh(io, 'accounts');
  const {site, email, name, key} = account;
  const id = accountId(site, email);
  const own = {id, name, site, email, key: async () => key, tls: {insecure: false}};
  return {account: own, notices: [], why: 'the key of the connection'};
}

/** Opens the demo organization. Its module is loaded on demand, because users with an account never need it. */
async function openDemoServer({env, paths, clock}: CliIo, watch: DemoRestartListener): Promise<OpenAccount> {
  const {openEmbeddedServer} = await import('#cli/embedded/embedded-server.ts');
  return openEmbeddedServer({paths, env, clock, ...watch});
}

/** An account that is connected with its first request. */
export type LazyAccount = Awaited<ReturnType<typeof openLazyAccount>>;

/**
 * Opens the account that the flags, environment and files name, or else the demo. It connects to its server with the first
 * request, so that the first frame need not wait for it. Makes no request, except that a demo
 * that never ran is created first. Calls `onRestart` when the demo's server was restarted, perhaps at another address.
 */
export async function openLazyAccount(flags: AccountFlags, io: CliIo, onRestart: () => void) {
  const resolved = resolveAccountFlags(flags, io);
  if (resolved === undefined) return openLazyDemo(io, onRestart);
  let {account} = resolved;
  const {id, name, site, email} = account;
  const lazy = makeLazyApi(site, () => withApiFailures(() => apiOf(account, io)));
  return {
    /** The name of the account's files on disk. */
    id,
    name,
    /** Lines for the user about permissions that were repaired or should be. */
    notices: [...resolved.notices, ...(await formerAddressNotices(account, io))],
    isDemo: false,
    /** Connects with the first request. */
    api: lazy.api,
    /** The server and address for a new login; undefined for the demo, which needs none. */
    login: {site, email},
    /** Returns when a file with a key of the account was last written: a login in another terminal writes one. */
    keyWrittenAt: () => writtenAt(withNewestKey(account, flags, io)),
    /** Reads the account's files again, so that the next request uses a new API key. */
    renewKey: async () => {
      account = withNewestKey(account, flags, io);
      await lazy.reset();
    },
    /** Why no new API key can be made here. */
    keyProblem:
      account.hasKeyInFile === true
        ? undefined
        : `The key is not in ${account.file ?? 'a file'}: replace it where it comes from`,
    /** Has the server make a new API key, saves it and uses it from now on. Resolves with why it could not be saved, if so. */
    replaceKey: async () => {
      const {file = ''} = account;
      // The same key again: a file that cannot be written is found before the old key stops working.
      replaceKeyInFile(file, await account.key());
      const {api_key: key} = await lazy.api.regenerateApiKey({});
      account = {...account, key: async () => key};
      const problem = orConfigError(() => replaceKeyInFile(file, key));
      await lazy.reset();
      return problem instanceof ConfigError ? problem.message : undefined;
    },
    close: lazy.reset,
  };
}

/**
 * Returns the account with its newest key. A login is saved under a name even if the account was opened from
 * another file, so all files of the account are compared by their time.
 */
function withNewestKey(account: Account, flags: AccountFlags, io: CliIo): Account {
  const named = new NamedAccounts(io.paths).names().map((name) => ({account: name}));
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

async function openLazyDemo(io: CliIo, onRestart: () => void) {
  let opening: Promise<OpenAccount> | undefined;
  const opened = (): Promise<OpenAccount> => {
    opening ??= openDemoServer(io, {onRestart: () => void lazy.reset().then(onRestart)}).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const lazy = makeLazyApi('http://127.0.0.1', () => withApiFailures(async () => apiOf((await opened()).account, io)));
  const persisted = persistedDemoAccount(embeddedDirectory(io.paths));
  return {
    id: persisted?.id ?? (await opened()).account.id,
    name: demoName,
    notices: [],
    isDemo: true,
    api: lazy.api,
    login: undefined,
    keyWrittenAt: () => 0,
    renewKey: () => lazy.reset(),
    keyProblem: 'The demo makes its own keys',
    replaceKey: async () => undefined,
    close: async () => {
      await lazy.reset();
      await (await opening)?.release();
    },
  };
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

type ApiCall = (...args: unknown[]) => Promise<unknown>;

/** The methods of a connection that make a request, and so wait until it exists. */
const requests: ReadonlySet<string> = new Set(['call', 'callRaw', 'upload', 'download']);

/**
 * Returns an API that is loaded and connected with the first request: validation and networking take longer
 * to load than everything that the first frame needs. `site` is the address until then.
 */
export function makeLazyApi(site: string, make: () => Promise<Api>) {
  let pending: Promise<Api> | undefined;
  let current: Api | undefined;
  /** The properties that a session sets, also before the connection exists: the feature level, and functions to call. */
  const settings: Record<string, unknown> = {level: 0};
  const initial: Readonly<Record<string, unknown>> = {
    site,
    isAuthenticated: true,
    requestLog: {records: [], rateLimit: undefined},
    webUrl: () => undefined,
    resetSockets: () => {},
  };
  const makeAndConfigure = async (): Promise<Api> => {
    const api = await make();
    Object.assign(api.connection, settings);
    current = api;
    return api;
  };
  const ready = (): Promise<Api> => {
    // A failure is not remembered: the next request tries again.
    pending ??= makeAndConfigure().catch((error: unknown) => {
      pending = undefined;
      throw error;
    });
    return pending;
  };
  const connection = namedProxy(
    (name) => {
      if (requests.has(name)) return deferred(ready, (api) => boundProperty(api.connection, name) as ApiCall);
      if (Object.hasOwn(settings, name)) return settings[name];
      return current === undefined ? initial[name] : boundProperty(current.connection, name);
    },
    (name, value) => {
      settings[name] = value;
      if (current !== undefined) Reflect.set(current.connection, name, value);
    },
  );
  const callOf = (name: string) => deferred(ready, (api) => Reflect.get(api, name) as ApiCall);
  return {
    // The proxy forwards every property to an Api.
    api: namedProxy((name) => (name === 'connection' ? connection : callOf(name))) as Api,
    /** Closes the connection. The next request opens a new one, perhaps at another address. */
    async reset(): Promise<void> {
      const previous = current;
      current = undefined;
      pending = undefined;
      await previous?.connection.close();
    },
  };
}

function namedProxy(get: (name: string) => unknown, set: (name: string, value: unknown) => void = () => {}): unknown {
  return new Proxy(
    {},
    {
      get: (_none, name) => (typeof name === 'symbol' ? undefined : get(name)),
      set: (_none, name, value) => {
        set(String(name), value);
        return true;
      },
    },
  );
}

function boundProperty(object: object, name: string): unknown {
  const value: unknown = Reflect.get(object, name);
  return typeof value === 'function' ? value.bind(object) : value;
}

function deferred(ready: () => Promise<Api>, callIn: (api: Api) => ApiCall): ApiCall {
  return async (...args) => {
    const signals = args.map((each) => Object(each).signal).filter((each) => each instanceof AbortSignal);
    const api = await unlessAborted(ready(), signals[0]);
    return callIn(api)(...args);
  };
}

/** Rejects when the signal aborts, even if starting a server or a key_command takes longer. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  const {promise: aborted, reject} = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, {once: true});
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
