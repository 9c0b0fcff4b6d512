import {joined} from './composed-text.ts';

const maxResults = 3;

/**
 * Returns the names that may have been meant, best first: prefixes, then near misspellings, then names that
 * contain the text. `plain` returns the part to compare, when a name has a prefix symbol.
 */
export function similarNames(
  names: Iterable<string>,
  text: string,
  plain: (name: string) => string = (name) => name,
): string[] {
  const target = text.trim().toLowerCase();
  if (target === '') return [];
  const maxDistance = target.length < 4 ? 1 : 2;
  const ranked: {name: string; rank: number}[] = [];
  for (const name of new Set(names)) {
    const rank = rankOf(plain(name).toLowerCase(), target, maxDistance);
    if (rank !== undefined) ranked.push({name, rank});
  }
  ranked.sort((a, b) => a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
  return ranked.slice(0, maxResults).map(({name}) => name);
}

function rankOf(name: string, target: string, maxDistance: number): number | undefined {
  if (name.startsWith(target)) return 0;
  if (name.split(' ').some((word) => word.startsWith(target))) return 1;
  const distance = editDistance(name, target, maxDistance);
  if (distance <= maxDistance) return 1 + distance;
  return target.length > 2 && name.includes(target) ? 9 : undefined;
}

/** Returns the number of inserted, deleted, replaced or swapped letters between two texts, at most `max + 1`. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
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
  return Math.min(above[b.length] ?? 0, max + 1);
}

/** Returns ` Did you mean “a” or “b”?`, or an empty string. */
export function didYouMean(names: Iterable<string>, text: string, plain?: (name: string) => string): string {
  const similar = similarNames(names, text, plain);
  return similar.length === 0 ? '' : ` Did you mean ${orList(similar.map((name) => `“${name}”`))}?`;
}

/** Returns `a`, `a or b`, or `a, b or c`. */
export function orList(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? joined(items) : `${joined(items.slice(0, -1))} or ${joined([last])}`;
}
