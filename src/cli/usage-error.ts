import {errorText} from '#std/error-text.ts';
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
