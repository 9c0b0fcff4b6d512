/** The camel-case spelling of a key: `is_muted` → `isMuted`. */
export type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

/** An object type with camel-case keys. Keys of nested objects stay as they are. */
export type CamelKeys<T> = {
  readonly [K in keyof T as K extends string ? Camel<K> : K]: T[K];
};

const camelByKey = new Map<string, string>();

/** Returns a key in camel case. */
export function camelKey(key: string): string {
  let name = camelByKey.get(key);
  if (name === undefined) {
    name = key.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
    camelByKey.set(key, name);
  }
  return name;
}

/** Returns the object with camel-case keys. Keys of nested objects stay as they are. */
export function camelKeys<T extends object>(wire: T): CamelKeys<T> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(wire)) result[camelKey(key)] = value;
  return result as CamelKeys<T>; // Built key by key from T.
}
