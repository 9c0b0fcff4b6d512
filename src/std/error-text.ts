/** Returns the message of a caught error, or the thrown value as text when it is not an `Error`. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
