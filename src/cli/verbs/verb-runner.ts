import {type ExitCode, exitCodes} from '#cli/failures.ts';
import {type CliIo, print, printJson, printNotice, printStyled} from '#cli/io.ts';
import type {VerbArguments, VerbName} from './verb-table.ts';

/** The function of a verb. Returning nothing means success. When `signal` aborts it, it throws the signal's reason. */
export type VerbRunner<N extends VerbName> = (
  verbArguments: VerbArguments<N>,
  io: CliIo,
  signal: AbortSignal,
) => Promise<ExitCode | undefined>;

/** The output of a verb. */
export interface VerbResult {
  /** Printed with `--json`. */
  readonly json: unknown;
  /** Printed otherwise; undefined prints nothing. */
  readonly text: string | undefined;
  /** Whether the text contains the colours of `outputStyle`. */
  readonly isStyled?: true;
  /** Printed on standard error after the result. */
  readonly notice?: string | undefined;
  readonly exitCode?: ExitCode;
}

/** Prints the result as JSON or as text, and returns the exit code. */
export function printResult(
  io: CliIo,
  {json: isJson}: {readonly json: boolean},
  {json, text, isStyled, notice, exitCode = exitCodes.ok}: VerbResult,
): ExitCode {
  if (isJson) printJson(io, json);
  else if (text !== undefined && isStyled === true) void printStyled(io, text);
  else if (text !== undefined) print(io, text);
  if (notice !== undefined) printNotice(io, notice);
  return exitCode;
}
