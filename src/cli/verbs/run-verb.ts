import {type CliIo, type ExitCode, exitCodes, UsageError, write} from '#cli/io.ts';
import {reportFailure} from '#cli/report-failure.ts';
import {loadVerb} from './load-verb.ts';
import {parseVerbArguments} from './parse-verb-arguments.ts';
import type {CommonOptions} from './verb.ts';
import {verbHelp} from './verb-help.ts';
import {
  isVerbName,
  printResult,
  type SelfParsingVerbName,
  type VerbName,
  type VerbRunner,
  verbOf,
} from './verb-table.ts';

/** The verbs whose arguments are parsed by their records. */
export type TableVerbName = Exclude<VerbName, SelfParsingVerbName>;

export function isTableVerb(name: string): name is TableVerbName {
  return isVerbName(name) && verbOf(name).parsesOwnArguments !== true;
}

/** Runs a verb and returns its exit code. Throws the signal's reason when it was aborted. */
export async function runVerb<N extends TableVerbName>(
  name: N,
  argv: readonly string[],
  io: CliIo,
  signal: AbortSignal = new AbortController().signal,
): Promise<ExitCode> {
  try {
    const verbArguments = parseVerbArguments(name, argv);
    if (verbArguments.values.help) {
      write(io, verbHelp(name));
      return exitCodes.ok;
    }
    await confirmDeleting(name, verbArguments, io);
    // TypeScript sees the union of all functions; the name is paired with its own.
    const run = (await loadVerb<TableVerbName>(name)) as VerbRunner<N>;
    // The verbs that span accounts have the common options and `--all`.
    const common = verbArguments.values as unknown as CommonOptions & {readonly all: boolean};
    if (verbOf(name).spansAccounts === true && common.all) {
      const {runForAllAccounts} = await import('./all-accounts.ts');
      return await runForAllAccounts(common, io, signal, async (flags, accountIo) => {
        const values = {...verbArguments.values, ...flags};
        return printResult(accountIo, values, await run({...verbArguments, values}, accountIo, signal));
      });
    }
    return printResult(io, verbArguments.values, await run(verbArguments, io, signal));
  } catch (error) {
    signal.throwIfAborted();
    return reportFailure(io, error, verbOf(name).check);
  }
}

/** Asks before a verb that deletes something, unless `--yes` is given. Scripts must give it. */
async function confirmDeleting(
  name: TableVerbName,
  {values, words}: {readonly values: object; readonly words: readonly string[]},
  io: CliIo,
): Promise<void> {
  const {asks} = verbOf(name);
  const isMeant = asks !== undefined && (asks.word === undefined || asks.word === words[0]);
  if (!isMeant || ('yes' in values && values.yes === true)) return;
  if ('dry-run' in values && values['dry-run'] === true) return;
  if (!io.inputIsTty) throw new UsageError(`“${name}” asks before it deletes. Add --yes in a script.`);
  const {requireYes} = await import('#cli/prompt.ts');
  await requireYes(asks.question, io);
}
