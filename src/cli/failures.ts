import {errorText} from '#std/error-text.ts';

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
