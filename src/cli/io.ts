import type {Readable, Writable} from 'node:stream';
import {isatty} from 'node:tty';
import {type Env, type Paths, pathsOf} from '#config/paths.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {composed, withoutIsolates} from '#std/composed-text.ts';
import {errorText} from '#std/error-text.ts';
import {homeDirectory} from '#std/home-directory.ts';
import {printable, printableJson, printableStyled} from '#std/printable.ts';
import {featuresOf, programFromEnv} from '#terminal/terminal-program.ts';
import type {Restriction} from './restriction.ts';

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
  /** The folders of the program's files. */
  readonly paths: Paths;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** The account of the output while a verb runs for several: notices begin with it, and each JSON object has it. */
  readonly account?: string;
  /** Given in a session over SSH, which uses nothing of this machine but the person's own folder. */
  readonly restriction?: Restriction;
}

/** Returns the streams and environment of this process. */
export function processIo(): CliIo {
  const home = homeDirectory();
  return {
    // Made on first use: a stream of a file or pipe loads modules that take 8 ms.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    inputIsTty: isatty(0),
    outputIsTty: process.stdout.isTTY === true,
    columns: process.stdout.columns,
    env: process.env,
    home,
    paths: pathsOf(process.env, home),
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
  io.stdout.write(shownIn(io, printable(text)));
}

/** Removes the isolates of composed texts unless a terminal reads them: one that is known to order right-to-left text itself. */
function shownIn({outputIsTty, env}: CliIo, text: string): string {
  const isRead = outputIsTty && featuresOf(programFromEnv(env)).bidi === 'own';
  return isRead ? text : withoutIsolates(text);
}

export function print(io: CliIo, text: string): void {
  write(io, `${text}\n`);
}

/** Prints a notice, warning or failure on standard error, apart from the result. */
export function printNotice(io: CliIo, text: string): void {
  const line = io.account === undefined ? text : composed`${io.account}: ${text}`;
  io.stderr.write(shownIn(io, printable(`${line}\n`)));
}

/** Prints text with the colors of `outputStyle` or `ansiLine`. Resolves when it was written; errors are handled for all verbs. */
export function printStyled(io: CliIo, text: string): Promise<void> {
  return new Promise((resolve) => {
    io.stdout.write(shownIn(io, printableStyled(`${text}\n`)), () => resolve());
  });
}

/** Writes control sequences that the program has made, unchanged. Text between them must be printable. */
export function writeControls(stream: Writable, sequence: string): void {
  stream.write(sequence);
}

/** Prints a value; of several accounts, each on its own line. */
export function printJson(io: CliIo, value: unknown): void {
  print(io, io.account === undefined ? printableJson(value, 2) : jsonLine(io, Object(value)));
}

/** Returns an object as one line of JSON, with the account if there are several. */
export function jsonLine({account}: CliIo, value: object): string {
  return printableJson(account === undefined ? value : {account, ...value});
}

/** The width when the output is a pipe. */
const pipeColumns = 120;

/** Returns the width of one line of output. */
export function outputColumns({columns}: Pick<CliIo, 'columns'>): number {
  return columns ?? pipeColumns;
}

/** The exit codes of all verbs. Scripts rely on them, so a number never changes its meaning. */
export const exitCodes = {
  /** Success. */
  ok: 0,
  /** The action failed: the server rejected it, or something that it needs was not found. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
  /** There is no account, or the server rejects its API key. */
  login: 3,
  /** The server cannot be reached or did not respond in time. Trying again later may work. */
  unreachable: 4,
  /** The account lacks the permission. */
  refused: 5,
  /** A change may or may not have been made: look before you repeat it. It is EX_TEMPFAIL of sysexits. */
  unknown: 75,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An invalid command line. Its message is one sentence for the user; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Turns an error of `parseArgs` into a UsageError. `hint` is appended and names the help. */
export function asUsageError(error: unknown, hint: string): UsageError {
  const text = errorText(error);
  const [, option, spelling] = /^Option '(.+)' argument is ambiguous[\s\S]* use '([^']+)=/.exec(text) ?? [];
  if (option !== undefined) {
    return new UsageError(`The value of ${option} starts with a dash. If that is intended, write “${spelling}=…”.`);
  }
  const [first = ''] = text.split(/\n|\. To specify/, 1);
  return new UsageError(`${first.replace(/\.$/, '')}. ${hint}`);
}

/** The user cancelled a prompt with Ctrl-C or the end of input. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** An expected failure that is not a bug. Its message is one sentence for the user. */
export class PlainFailure extends Error {
  override readonly name = 'PlainFailure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
