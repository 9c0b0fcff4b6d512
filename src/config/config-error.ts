/** An error in a file or variable of the user. Its message is one sentence and never contains a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
