/** Returns the path of keys to every value inside a value. */
export function pathsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...pathsIn(inner, [...path, key])]);
}

/** Returns a copy with another value at the path; undefined removes the key. */
export function withValueAt(whole: object, path: readonly string[], odd: unknown): object {
  const changed = structuredClone(whole);
  let holder: object = changed;
  for (const key of path.slice(0, -1)) holder = Reflect.get(holder, key);
  const last = path.at(-1) ?? '';
  if (odd === undefined && !Array.isArray(holder)) Reflect.deleteProperty(holder, last);
  else Reflect.set(holder, last, odd ?? null);
  return changed;
}

export const malformedValues: readonly unknown[] = [
  undefined,
  null,
  '',
  'odd',
  -1,
  0,
  1.5,
  1e300,
  true,
  [],
  [null],
  {},
  {odd: null},
  JSON.parse('{"__proto__": {"polluted": 1}}'),
];
