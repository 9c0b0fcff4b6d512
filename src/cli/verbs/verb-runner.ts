import type {ExitCode} from '#cli/exit-codes.ts';
import type {CliIo} from '#cli/io.ts';
import type {VerbArguments, VerbName} from './verb-table.ts';

/** The function of a verb. Returning nothing means success. When `signal` aborts it, it throws the signal's reason. */
export type VerbRunner<N extends VerbName> = (
  verbArguments: VerbArguments<N>,
  io: CliIo,
  signal: AbortSignal,
) => Promise<ExitCode | undefined>;
