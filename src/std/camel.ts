/** `is_muted` → `isMuted`. */
export type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

/** The same object with our spelling of its own keys; what its values hold stays as it is. */
export type CamelKeys<T> = {
  readonly [K in keyof T as K extends string ? Camel<K> : K]: T[K];
};

const spelled = new Map<string, string>();

function camel(key: string): string {
  let name = spelled.get(key);
  if (name === undefined) {
    name = key.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
    spelled.set(key, name);
  }
  return name;
}

export function camelKeys<T extends object>(wire: T): CamelKeys<T> {
  const ours: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(wire)) ours[camel(key)] = value;
  return ours as CamelKeys<T>; // Built key by key from T.
}
