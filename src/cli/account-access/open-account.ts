import type {EmbeddedOptions} from '#cli/embedded/embedded-server.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {Account} from '#config/load-account.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {type ResolvedAccount, resolveAccount} from '#config/resolve-account.ts';

export interface OpenAccount {
  readonly account: Account;
  /** Call it when the account is no longer used: the demo's server ends some seconds after its last user. */
  release(): Promise<void>;
}

export interface AccountFlags {
  /** `--config FILE` */
  readonly config?: string | undefined;
  /** `--account NAME`; “demo” is the embedded organization unless an account has that name. */
  readonly account?: string | undefined;
}

/** For whoever stays longer than a verb: the demo's server was started again, perhaps at another address. */
export type DemoRestartListener = Pick<EmbeddedOptions, 'onRestart'>;

export const demoName = 'demo';

/** The account that the flags, the environment and the files name; without any, the demo that Parley brings itself. */
export async function openAccount(
  flags: AccountFlags,
  io: CliIo,
  watch: DemoRestartListener = {},
): Promise<OpenAccount> {
  const resolved = resolveAccountFlags(flags, io);
  if (resolved === undefined) return openDemo(flags, io, watch);
  for (const line of resolved.notices) printNotice(io, line);
  return {account: resolved.account, release: async () => {}};
}

export function resolveAccountFlags(flags: AccountFlags, io: CliIo): ResolvedAccount | undefined {
  // To prefer one of them in silence could send in the wrong name.
  if (flags.config !== undefined && flags.account !== undefined) {
    throw new UsageError('Give one of --account and --config.');
  }
  const {env, home, cwd, clock} = io;
  const wantsDemo = flags.config === undefined && flags.account === demoName;
  if (wantsDemo && !new NamedAccounts(pathsOf(env, home)).has(demoName)) return undefined;
  return resolveAccount({...flags, env, home, cwd, clock});
}

/** Loaded only when wanted: people with an account never need it. */
async function openDemo(flags: AccountFlags, io: CliIo, watch: DemoRestartListener): Promise<OpenAccount> {
  if (flags.account === undefined) {
    printNotice(io, 'No account is set up, so this is the demo organization. “parley login” adds yours.');
  }
  const {openEmbeddedServer: embeddedServer} = await import('#cli/embedded/embedded-server.ts');
  return embeddedServer({paths: pathsOf(io.env, io.home), env: io.env, clock: io.clock, ...watch});
}
