// One fixed locale, so that the order is the same on every machine.
const collator = new Intl.Collator('en', {sensitivity: 'base', numeric: false});

/** Alphabetical as people expect it; equal letters in another case or with accents come in a fixed order too. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Comparing many names costs less when each is prepared once. */
export function sortedByName<T>(items: Iterable<T>, nameOf: (item: T) => string): T[] {
  return [...items]
    .map((item) => ({item, name: nameOf(item)}))
    .sort((a, b) => compareNames(a.name, b.name))
    .map(({item}) => item);
}
