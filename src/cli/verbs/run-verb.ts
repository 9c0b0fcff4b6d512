import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {reported} from '#cli/failures.ts';
import type {CliIo} from '#cli/io.ts';
import {verbArguments} from './parse-verb-arguments.ts';
import type {Run} from './run.ts';
import {verbHelp} from './verb-help.ts';
import {verbRuns} from './verb-runners.ts';

export type TableVerbName = keyof typeof verbRuns;

export function isTableVerb(name: string): name is TableVerbName {
  return Object.hasOwn(verbRuns, name);
}

/** One verb, from its command line to its exit code. Throws the signal's reason when that ended it. */
export async function runVerb<N extends TableVerbName>(
  name: N,
  argv: readonly string[],
  io: CliIo,
  signal: AbortSignal = new AbortController().signal,
): Promise<ExitCode> {
  try {
    const given = verbArguments(name, argv);
    if (given.values.help) {
      io.stdout.write(verbHelp(name));
      return exitCodes.ok;
    }
    // A lookup by a name that is not known yet gives the union of all runs; the table pairs each name with its own.
    const run = (await verbRuns[name]()) as Run<N>;
    return (await run(given, io, signal)) ?? exitCodes.ok;
  } catch (error) {
    signal.throwIfAborted();
    return reported(io, error);
  }
}
