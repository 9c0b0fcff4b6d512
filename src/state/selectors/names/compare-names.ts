let collator: Intl.Collator | undefined;

/**
 * Compares in one fixed locale, so that the order is the same on every machine. Loading its tables takes 15
 * ms, and most names need none.
 */
function compareLetters(a: string, b: string): number {
  collator ??= new Intl.Collator('en', {sensitivity: 'base', numeric: false});
  return collator.compare(a, b);
}

/** Printable ASCII in the collator's order; upper and lower case are equal. */
const ascii = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';
const ranks: readonly number[] = Array.from({length: 127}, (_, code) =>
  ascii.indexOf(String.fromCharCode(code).toLowerCase()),
);

/** Ideographs, kana and Hangul sort after all of these, whatever their own order. */
const eastAsian = ascii.length;

/** Returns the rank of a code unit; undefined where only the collator knows. */
function rankOf(unit: number): number | undefined {
  if (unit < ranks.length) return unit < 0x20 ? undefined : ranks[unit];
  const isEastAsian =
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x30a1 && unit <= 0x30fa) ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3);
  return isEastAsian ? eastAsian : undefined;
}

/** Returns the collator's result where the first different letter decides; undefined elsewhere. */
function compareQuickly(a: string, b: string): number | undefined {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    if (index >= a.length || index >= b.length) {
      const longer = a.length > b.length ? a : b;
      return rankOf(longer.charCodeAt(index)) === undefined ? undefined : a.length - b.length;
    }
    const [unitA, unitB] = [a.charCodeAt(index), b.charCodeAt(index)];
    const [rankA, rankB] = [rankOf(unitA), rankOf(unitB)];
    if (rankA === undefined || rankB === undefined) return undefined;
    if (rankA !== rankB) return rankA - rankB;
    if (rankA === eastAsian && unitA !== unitB) return undefined;
  }
  return 0;
}

const combining = /[\u0300-\u036f]/g;
const plainAscii = /^[ -~]*$/;

/** Removes accents, which do not affect the order. */
function withoutAccents(name: string): string {
  return plainAscii.test(name) ? name : name.normalize('NFD').replace(combining, '').normalize('NFC');
}

/** Compares names alphabetically; names that differ only in case or accents have a fixed order too. */
export function compareNames(a: string, b: string): number {
  const order = compareQuickly(withoutAccents(a), withoutAccents(b)) ?? compareLetters(a, b);
  return order || (a < b ? -1 : a > b ? 1 : 0);
}

/** Sorts by name, computing each name once. */
export function sortedByName<T>(items: Iterable<T>, nameOf: (item: T) => string): T[] {
  return [...items]
    .map((item) => ({item, name: nameOf(item)}))
    .sort((a, b) => compareNames(a.name, b.name))
    .map(({item}) => item);
}
