import {homedir} from 'node:os';
import type {Readable, Writable} from 'node:stream';
import type {Env} from '#config/paths.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {printableJson} from '#std/printable.ts';

/** Everything a verb touches outside itself, so that a test can run one in its own process and read what it wrote. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Somebody sits at the keyboard: questions may be asked. */
  readonly inputIsTty: boolean;
  /** Somebody looks at the screen: colours and widths make sense. */
  readonly outputIsTty: boolean;
  /** Columns of the screen; undefined when the output is not one. */
  readonly columns: number | undefined;
  readonly env: Env;
  readonly home: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: () => number;
}

/** The real ones. */
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

/** Where nothing is any more, nothing is found: a verb that needs no file still works there. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? '/';
  }
}

export function print(io: CliIo, text: string): void {
  io.stdout.write(`${text}\n`);
}

/** For people, beside the result: notices, warnings, questions' answers, failures. */
export function printNotice(io: CliIo, text: string): void {
  io.stderr.write(`${text}\n`);
}

export function printJson(io: CliIo, value: unknown): void {
  io.stdout.write(`${printableJson(value, 2)}\n`);
}
