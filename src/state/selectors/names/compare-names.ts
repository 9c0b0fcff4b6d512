let collator: Intl.Collator | undefined;

/** One fixed locale, so that the order is the same on every machine. Its tables take 15 ms to load, and most names need none. */
function compareLetters(a: string, b: string): number {
  collator ??= new Intl.Collator('en', {sensitivity: 'base', numeric: false});
  return collator.compare(a, b);
}

/** What is printable in ASCII, in the collator's order; a letter counts the same in both cases. */
const ascii = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';
const places: readonly number[] = Array.from({length: 127}, (_, code) =>
  ascii.indexOf(String.fromCharCode(code).toLowerCase()),
);

/** Ideographs, kana and Hangul come after all of these, whatever the order among themselves. */
const eastAsian = ascii.length;

/** Where a code unit comes; undefined where only the collator knows. */
function placeOf(unit: number): number | undefined {
  if (unit < places.length) return unit < 0x20 ? undefined : places[unit];
  const isEastAsian =
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x30a1 && unit <= 0x30fa) ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3);
  return isEastAsian ? eastAsian : undefined;
}

/** The collator's answer where it follows from the first letter that differs; undefined elsewhere. */
function compareQuickly(a: string, b: string): number | undefined {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    if (at >= a.length || at >= b.length) {
      const longer = a.length > b.length ? a : b;
      return placeOf(longer.charCodeAt(at)) === undefined ? undefined : a.length - b.length;
    }
    const [here, there] = [a.charCodeAt(at), b.charCodeAt(at)];
    const [first, second] = [placeOf(here), placeOf(there)];
    if (first === undefined || second === undefined) return undefined;
    if (first !== second) return first - second;
    if (first === eastAsian && here !== there) return undefined;
  }
  return 0;
}

const combining = /[\u0300-\u036f]/g;
const plainAscii = /^[ -~]*$/;

/** Accents do not decide. */
function withoutAccents(name: string): string {
  return plainAscii.test(name) ? name : name.normalize('NFD').replace(combining, '').normalize('NFC');
}

/** Alphabetical as people expect it; equal letters in another case or with accents come in a fixed order too. */
export function compareNames(a: string, b: string): number {
  const order = compareQuickly(withoutAccents(a), withoutAccents(b)) ?? compareLetters(a, b);
  return order || (a < b ? -1 : a > b ? 1 : 0);
}

/** Comparing many names costs less when each is prepared once. */
export function sortedByName<T>(items: Iterable<T>, nameOf: (item: T) => string): T[] {
  return [...items]
    .map((item) => ({item, name: nameOf(item)}))
    .sort((a, b) => compareNames(a.name, b.name))
    .map(({item}) => item);
}
