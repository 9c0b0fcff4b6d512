/** Compares plain values, and maps and sets of the same class. An undefined property equals a missing one. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => deepEqual(item, b[index]));
  }
  if (isCollection(a) || isCollection(b)) {
    return isCollection(a) && isCollection(b) && a.constructor === b.constructor && deepEqual([...a], [...b]);
  }
  return hasEqualProperties(a, b) && lacksProperties(a, b);
}

/** Maps and sets, whose contents are not properties. */
function isCollection(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}

function hasEqualProperties(a: object, b: object): boolean {
  // Without a list of the entries: every frame compares many small objects.
  for (const key in a) {
    if (Object.hasOwn(a, key) && !deepEqual(Reflect.get(a, key), Reflect.get(b, key))) return false;
  }
  return true;
}

/** Whether the properties that only the other object has are undefined. Those that both have are compared once, at any depth. */
function lacksProperties(object: object, other: object): boolean {
  for (const key in other) {
    const isOnlyThere = Object.hasOwn(other, key) && !Object.hasOwn(object, key);
    if (isOnlyThere && Reflect.get(other, key) !== undefined) return false;
  }
  return true;
}
