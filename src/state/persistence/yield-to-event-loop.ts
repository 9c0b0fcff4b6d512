/** Lets keys and sockets have their turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
