/** An error in a file or variable of the user. Its message is one sentence and never contains a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Returns what the body returns, or the ConfigError that it throws. */
export function orConfigError<T>(body: () => T): T | ConfigError {
  try {
    return body();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}
