import {SortedMap, SortedSet} from './sorted-map.ts';

/** Compares plain values, sorted maps and sorted sets. An undefined property equals a missing one. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof SortedMap || b instanceof SortedMap) {
    return a instanceof SortedMap && b instanceof SortedMap && a.size === b.size && deepEqual([...a], [...b]);
  }
  if (a instanceof SortedSet || b instanceof SortedSet) {
    return a instanceof SortedSet && b instanceof SortedSet && a.size === b.size && deepEqual([...a], [...b]);
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => deepEqual(item, b[index]));
  }
  return hasEqualProperties(a, b) && hasEqualProperties(b, a);
}

function hasEqualProperties(a: object, b: object): boolean {
  // Without a list of the entries: every frame compares many small objects.
  for (const key in a) {
    if (Object.hasOwn(a, key) && !deepEqual(Reflect.get(a, key), Reflect.get(b, key))) return false;
  }
  return true;
}
