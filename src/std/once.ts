/** Returns a function that calls `make` on its first call and returns that value on every call. */
export function once<T>(make: () => T): () => T {
  let cached: {value: T} | undefined;
  return () => {
    cached ??= {value: make()};
    return cached.value;
  };
}
