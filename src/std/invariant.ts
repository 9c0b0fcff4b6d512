/** Throws when something we rely on does not hold; narrows the type for what follows. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}
