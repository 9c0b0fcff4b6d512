/** `size` items from `a` in the first list equal those from `b` in the second. */
export type MatchingBlock = {readonly a: number; readonly b: number; readonly size: number};

/** An item of a list with at least this many is left out of the search if more than 1 % of the items equal it. */
const popularFrom = 200;

/** With more comparisons than this, the rest is taken as different: their number can grow with the square of the length. */
const maxComparisons = 500_000;

/**
 * Returns the equal parts of two lists in order, as Python's difflib finds them: the longest one, then those before and after
 * it. Zulip servers use it, and another algorithm would find other parts.
 */
export function matchingBlocks(first: readonly string[], second: readonly string[]): MatchingBlock[] {
  const positions = positionsOf(second);
  let comparisons = 0;
  const longest = (aFrom: number, aTo: number, bFrom: number, bTo: number): MatchingBlock => {
    let best: MatchingBlock = {a: aFrom, b: bFrom, size: 0};
    let lengths = new Map<number, number>();
    for (let a = aFrom; a < aTo && comparisons < maxComparisons; a++) {
      const next = new Map<number, number>();
      for (const b of positions.get(first[a] ?? '') ?? []) {
        comparisons++;
        if (b < bFrom) continue;
        if (b >= bTo) break;
        const size = (lengths.get(b - 1) ?? 0) + 1;
        next.set(b, size);
        if (size > best.size) best = {a: a - size + 1, b: b - size + 1, size};
      }
      lengths = next;
    }
    let {a, b, size} = best;
    for (; a > aFrom && b > bFrom && first[a - 1] === second[b - 1]; size++) {
      a--;
      b--;
    }
    while (a + size < aTo && b + size < bTo && first[a + size] === second[b + size]) size++;
    return {a, b, size};
  };
  const blocks: MatchingBlock[] = [];
  const pending: [number, number, number, number][] = [[0, first.length, 0, second.length]];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const [aFrom, aTo, bFrom, bTo] = part;
    const block = longest(aFrom, aTo, bFrom, bTo);
    if (block.size === 0) continue;
    blocks.push(block);
    pending.push([aFrom, block.a, bFrom, block.b], [block.a + block.size, aTo, block.b + block.size, bTo]);
  }
  return joined(blocks.sort((one, other) => one.a - other.a));
}

function positionsOf(items: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const positions = Map.groupBy(items.keys(), (index) => items[index] ?? '');
  if (items.length < popularFrom) return positions;
  const most = Math.floor(items.length / 100) + 1;
  return new Map([...positions].filter(([, indexes]) => indexes.length <= most));
}

function joined(blocks: readonly MatchingBlock[]): MatchingBlock[] {
  const out: MatchingBlock[] = [];
  for (const block of blocks) {
    const last = out.at(-1);
    if (last !== undefined && last.a + last.size === block.a && last.b + last.size === block.b)
      out[out.length - 1] = {...last, size: last.size + block.size};
    else out.push(block);
  }
  return out;
}
