import type {Api} from '#api/api.ts';
import {PermanentFailure} from '#api/failure.ts';
import {embeddedDirectory, rememberedAccount} from '#cli/embedded/remembered-account.ts';
import type {CliIo} from '#cli/io.ts';
import type {Account} from '#config/accounts.ts';
import {ConfigError} from '#config/config-error.ts';
import {pathsOf} from '#config/paths.ts';
import {lateApi} from './late-api.ts';
import {type AccountFlags, demoName, type OpenAccount, resolvedAccount} from './open-account.ts';

/** An account whose server nobody has spoken to yet. */
export interface LateAccount {
  /** Names the files that are kept for it. */
  readonly id: string;
  readonly name: string;
  /** Lines for the user: what was repaired, what should be. */
  readonly notices: readonly string[];
  readonly isDemo: boolean;
  /** Connects with the first request. */
  readonly api: Api;
  close(): Promise<void>;
}

/**
 * The account that the flags, the environment and the files name; without any, the demo. Nothing is asked of anybody, except
 * that a demo which never ran has to be made first. `onRestart`: the demo's server is back, perhaps at another address.
 */
export async function lateAccount(
  flags: AccountFlags,
  io: CliIo,
  onRestart: () => void,
): Promise<LateAccount> {
  const resolved = resolvedAccount(flags, io);
  if (resolved === undefined) return lateDemo(io, onRestart);
  const {account, notices} = resolved;
  const late = lateApi(account.site, () => told(() => apiOf(account, io)));
  return {id: account.id, name: account.name, notices, isDemo: false, api: late.api, close: late.close};
}

async function lateDemo(io: CliIo, onRestart: () => void): Promise<LateAccount> {
  let opening: Promise<OpenAccount> | undefined;
  const opened = (): Promise<OpenAccount> => {
    opening ??= openDemo(io, () => void late.remake().then(onRestart)).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const late = lateApi('http://127.0.0.1', () => told(async () => apiOf((await opened()).account, io)));
  const known = rememberedAccount(embeddedDirectory(pathsOf(io.env, io.home)));
  const id = known?.id ?? (await opened()).account.id;
  const close = async () => {
    await late.close();
    await (await opening)?.release();
  };
  return {id, name: demoName, notices: [], isDemo: true, api: late.api, close};
}

async function openDemo({env, home, clock}: CliIo, onRestart: () => void): Promise<OpenAccount> {
  const {embeddedServer} = await import('#cli/embedded/embedded.ts');
  return embeddedServer({paths: pathsOf(env, home), env, clock, onRestart});
}

async function apiOf(account: Account, io: CliIo): Promise<Api> {
  const [{makeApi}, {connect}] = await Promise.all([import('#api/api.ts'), import('./connect.ts')]);
  return makeApi(await connect(account, io));
}

/** What is wrong on this machine (a key's command that fails) is told as what a server says would be. */
async function told<T>(make: () => Promise<T>): Promise<T> {
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
