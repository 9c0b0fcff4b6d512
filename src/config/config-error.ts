/** Something in a file or variable of the user's is not as it must be: one sentence, and it never holds a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
