import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {reportFailure} from '#cli/failures.ts';
import type {CliIo} from '#cli/io.ts';
import {parseVerbArguments} from './parse-verb-arguments.ts';
import type {VerbRunner} from './run.ts';
import {verbHelp} from './verb-help.ts';
import {verbRunners} from './verb-runners.ts';

export type TableVerbName = keyof typeof verbRunners;

export function isTableVerb(name: string): name is TableVerbName {
  return Object.hasOwn(verbRunners, name);
}

/** One verb, from its command line to its exit code. Throws the signal's reason when that ended it. */
export async function runVerb<N extends TableVerbName>(
  name: N,
  argv: readonly string[],
  io: CliIo,
  signal: AbortSignal = new AbortController().signal,
): Promise<ExitCode> {
  try {
    const given = parseVerbArguments(name, argv);
    if (given.values.help) {
      io.stdout.write(verbHelp(name));
      return exitCodes.ok;
    }
    // A lookup by a name that is not known yet gives the union of all runs; the table pairs each name with its own.
    const run = (await verbRunners[name]()) as VerbRunner<N>;
    return (await run(given, io, signal)) ?? exitCodes.ok;
  } catch (error) {
    signal.throwIfAborted();
    return reportFailure(io, error);
  }
}
