import type {ExitCode} from '#cli/exit-codes.ts';
import type {CliIo} from '#cli/io.ts';
import type {VerbArguments, VerbName} from './verb-table.ts';

/** Nothing returned is success. Aborted by `signal`, it throws the signal's reason. */
export type VerbRunner<N extends VerbName> = (
  given: VerbArguments<N>,
  io: CliIo,
  signal: AbortSignal,
) => Promise<ExitCode | undefined>;
