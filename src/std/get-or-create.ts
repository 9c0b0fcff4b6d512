/** Returns the value of a key; makes and keeps it if there is none. */
export function getOrCreate<K, V>(
  map: {get(key: K): V | undefined; set(key: K, value: V): unknown},
  key: K,
  make: () => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
