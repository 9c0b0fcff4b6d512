const most = 3;

/**
 * The names somebody may have meant, best first: those that begin so, then those a slip away, then those that hold it.
 * `plain` gives what to compare, when a name has a sign in front.
 */
export function similarNames(
  names: Iterable<string>,
  written: string,
  plain: (name: string) => string = (name) => name,
): string[] {
  const wanted = written.trim().toLowerCase();
  if (wanted === '') return [];
  const slips = wanted.length < 4 ? 1 : 2;
  const ranked: {name: string; rank: number}[] = [];
  for (const name of new Set(names)) {
    const rank = rankOf(plain(name).toLowerCase(), wanted, slips);
    if (rank !== undefined) ranked.push({name, rank});
  }
  ranked.sort((a, b) => a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
  return ranked.slice(0, most).map(({name}) => name);
}

function rankOf(name: string, wanted: string, slips: number): number | undefined {
  if (name.startsWith(wanted)) return 0;
  if (name.split(' ').some((word) => word.startsWith(wanted))) return 1;
  const distance = editDistance(name, wanted, slips);
  if (distance <= slips) return 1 + distance;
  return wanted.length > 2 && name.includes(wanted) ? 9 : undefined;
}

/**
 * How many letters to add, drop, change or swap to get from one to the other; more than `most` is told as `most + 1`.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let twoAbove: number[] = [];
  let above = Array.from({length: b.length + 1}, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (twoAbove[j - 2] ?? 0) + 1 : change;
      row.push(Math.min(change, swap, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    twoAbove = above;
    above = row;
  }
  return Math.min(above[b.length] ?? 0, most + 1);
}

/** ` Did you mean “a” or “b”?`, or nothing. */
export function didYouMean(
  names: Iterable<string>,
  written: string,
  plain?: (name: string) => string,
): string {
  const similar = similarNames(names, written, plain);
  return similar.length === 0 ? '' : ` Did you mean ${orList(similar.map((name) => `“${name}”`))}?`;
}

/** `a`, `a or b`, `a, b or c`. */
export function orList(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} or ${last}`;
}
