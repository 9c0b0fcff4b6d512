import {homedir} from 'node:os';
import type {Readable, Writable} from 'node:stream';
import type {Env} from '#config/paths.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {printable, printableJson, printableStyled} from '#std/printable.ts';

/** Everything outside the process that a verb uses, so that tests can run a verb and read its output. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether the input is a terminal, so that the verb may prompt. */
  readonly inputIsTty: boolean;
  /** Whether the output is a terminal, so that colours and widths make sense. */
  readonly outputIsTty: boolean;
  /** The width of the terminal; undefined when the output is not one. */
  readonly columns: number | undefined;
  readonly env: Env;
  readonly home: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Returns the streams and environment of this process. */
export function processIo(): CliIo {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    inputIsTty: process.stdin.isTTY === true,
    outputIsTty: process.stdout.isTTY === true,
    columns: process.stdout.columns,
    env: process.env,
    home: homedir(),
    cwd: workingDirectory(),
    clock: systemClock,
    random: Math.random,
  };
}

/**
 * Returns the working directory. Falls back when it was deleted, because a verb that needs no file still works there.
 */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? '/';
  }
}

/**
 * Writes to standard output. Nothing in `cli/` writes to the streams by itself: any text may quote a name from the server or a
 * file, so the functions below remove control characters.
 */
export function write(io: CliIo, text: string): void {
  io.stdout.write(printable(text));
}

export function print(io: CliIo, text: string): void {
  write(io, `${text}\n`);
}

/** Prints a notice, warning or failure on standard error, apart from the result. */
export function printNotice(io: CliIo, text: string): void {
  io.stderr.write(printable(`${text}\n`));
}

/** Prints text with the colors of `outputStyle` or `ansiLine`. Resolves when it was written; errors are handled for all verbs. */
export function printStyled(io: CliIo, text: string): Promise<void> {
  return new Promise((resolve) => {
    io.stdout.write(printableStyled(`${text}\n`), () => resolve());
  });
}

/** Writes control sequences that the program has made, unchanged. Text between them must be printable. */
export function writeControls(stream: Writable, sequence: string): void {
  stream.write(sequence);
}

export function printJson(io: CliIo, value: unknown): void {
  print(io, printableJson(value, 2));
}

/** The width when the output is a pipe. */
const pipeColumns = 120;

/** Returns the width of one line of output. */
export function outputColumns({columns}: Pick<CliIo, 'columns'>): number {
  return columns ?? pipeColumns;
}
