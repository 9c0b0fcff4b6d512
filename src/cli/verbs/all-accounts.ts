import {type AccountFlags, noAccountText} from '#cli/account-access/lazy-account.ts';
import {type CliIo, type ExitCode, exitCodes, printStyled, UsageError} from '#cli/io.ts';
import {outputStyle} from '#cli/messages/message-text.ts';
import {reportFailure} from '#cli/report-failure.ts';
import {accountSource} from '#config/load-account.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {ConfigError, orConfigError} from '#config/private-files.ts';
import type {CommonOptions} from './verb.ts';

interface AccountOutput {
  readonly name: string;
  readonly flags: AccountFlags;
}

/**
 * Runs a verb for each account of this machine, each below a heading. An account that fails is reported, and the others are still
 * printed. Returns the highest exit code of those that failed, otherwise the lowest: a search has found something if one account has.
 */
export async function runForAllAccounts(
  values: Pick<CommonOptions, 'account' | 'config' | 'json' | 'color'>,
  io: CliIo,
  signal: AbortSignal,
  run: (flags: AccountFlags, io: CliIo) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (values.account !== undefined) throw new UsageError('Use either --account or --all, not both.');
  if (values.config !== undefined) throw new UsageError('Use either --config or --all, not both.');
  const accounts = accountsOf(io);
  if (accounts.length === 0) throw new ConfigError(noAccountText);
  const ended: ExitCode[] = [];
  const failed: ExitCode[] = [];
  const {heading} = outputStyle(io, values.color);
  for (const [at, {name, flags}] of accounts.entries()) {
    const accountIo = {...io, account: name};
    if (!values.json) await printStyled(io, `${at === 0 ? '' : '\n'}${heading(name)}`);
    try {
      ended.push(await run(flags, accountIo));
    } catch (error) {
      signal.throwIfAborted();
      // An invalid command line is invalid for every account.
      if (error instanceof UsageError) throw error;
      failed.push(reportFailure(accountIo, error));
    }
  }
  const [code = exitCodes.ok] = failed.length > 0 ? failed.sort((a, b) => b - a) : ended.sort((a, b) => a - b);
  return code;
}

/** Returns the named accounts, and the one that is used without `--account` if it has no name. */
function accountsOf(io: CliIo): readonly AccountOutput[] {
  const store = new NamedAccounts(io.paths);
  const named = store.names().map((name) => ({name, flags: {account: name, config: undefined}}));
  // Without a default account there is none besides the named ones.
  const used = orConfigError(() => accountSource(io));
  if (used === undefined || used instanceof ConfigError || named.some(({name}) => store.file(name) === used.file))
    return named;
  return [...named, {name: used.name, flags: {account: undefined, config: used.file}}];
}
