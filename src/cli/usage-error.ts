/** The command line makes no sense as it stands: one sentence for the user, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What `parseArgs` threw, in one sentence; `hint` is another, on where to read more. */
export function asUsageError(error: unknown, hint: string): UsageError {
  const words = error instanceof Error ? error.message : String(error);
  const [, option, spelling] = /^Option '(.+)' argument is ambiguous[\s\S]* use '([^']+)=/.exec(words) ?? [];
  if (option !== undefined) {
    return new UsageError(
      `What follows ${option} begins with a dash: if that is its value, write “${spelling}=…”.`,
    );
  }
  const [first = ''] = words.split(/\n|\. To specify/, 1);
  return new UsageError(`${first.replace(/\.$/, '')}. ${hint}`);
}
