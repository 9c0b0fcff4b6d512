/** The command line makes no sense as it stands: one sentence for the user, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
