import {SortedMap, SortedSet} from './sorted-map.ts';

/** Whether two plain values, sorted maps and sets among them, say the same. A property that is undefined is none. */
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
  return agrees(a, b) && agrees(b, a);
}

function agrees(a: object, b: object): boolean {
  return Object.entries(a).every(([key, value]) => deepEqual(value, Reflect.get(b, key)));
}
