import {readdirSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import type {EmbeddedOptions} from '#cli/embedded/embedded-server.ts';
import {UsageError} from '#cli/failures.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {ConfigError} from '#config/config-error.ts';
import {type Account, type ResolvedAccount, resolveAccount} from '#config/load-account.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {accountDatabase, accountIdStart, pathsOf} from '#config/paths.ts';

export interface OpenAccount {
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
export type DemoRestartListener = Pick<EmbeddedOptions, 'onRestart'>;

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
export async function formerAddressNotices(account: Account, io: CliIo): Promise<readonly string[]> {
  const own = accountDatabase(pathsOf(io.env, io.home), account.id);
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
  const {env, home, cwd, clock} = io;
  const wantsDemo = flags.config === undefined && flags.account === demoName;
  if (wantsDemo && !new NamedAccounts(pathsOf(env, home)).has(demoName)) return undefined;
  return resolveAccount({...flags, env, home, cwd, clock});
}

/** Opens the demo organization. Its module is loaded on demand, because users with an account never need it. */
export async function openDemoServer({env, home, clock}: CliIo, watch: DemoRestartListener): Promise<OpenAccount> {
  const {openEmbeddedServer} = await import('#cli/embedded/embedded-server.ts');
  return openEmbeddedServer({paths: pathsOf(env, home), env, clock, ...watch});
}
