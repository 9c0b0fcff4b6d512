import {type ExitCode, exitCodes} from '#cli/failures.ts';
import {type CliIo, write} from '#cli/io.ts';
import {reportFailure} from '#cli/report-failure.ts';
import {parseVerbArguments} from './parse-verb-arguments.ts';
import {verbHelp} from './verb-help.ts';
import type {VerbRunner} from './verb-runner.ts';
import {verbRunners} from './verb-runners.ts';

export type TableVerbName = keyof typeof verbRunners;

export function isTableVerb(name: string): name is TableVerbName {
  return Object.hasOwn(verbRunners, name);
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
    // TypeScript sees the union of all runners; the table pairs each name with its own.
    const run = (await verbRunners[name]()) as VerbRunner<N>;
    return (await run(verbArguments, io, signal)) ?? exitCodes.ok;
  } catch (error) {
    signal.throwIfAborted();
    return reportFailure(io, error);
  }
}
