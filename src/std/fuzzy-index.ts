import {
  type FuzzyCandidate,
  type FuzzyQuery,
  fuzzyCandidate,
  fuzzyQuery,
  fuzzyScore,
  type MatchRange,
  matchRanges,
  maxScores,
} from './fuzzy.ts';
import {Heap} from './heap.ts';

export interface FuzzyResult<T> {
  readonly item: T;
  /** The score including the boost. */
  readonly score: number;
  readonly ranges: readonly MatchRange[];
}

export interface FuzzyFindOptions<T> {
  readonly limit: number;
  /** Added to the score of a match; at most 100, so that a better kind of match stays ahead. */
  readonly boost?: ((item: T) => number) | undefined;
  /** Matches with a lower score are omitted. */
  readonly floor?: number | undefined;
  /** Maps the query to another keyboard layout; both readings are searched. */
  readonly remap?: ((text: string) => string) | undefined;
}

const maxBoost = 100;

interface LetterMasks {
  readonly masks: number[];
  readonly firsts: number[];
  readonly initials: number[];
}

interface NarrowedCandidates {
  readonly whole: string;
  readonly indices: Int32Array;
}

/**
 * An index of many texts that is searched at every key press. Each text is prepared once; a query that extends the last one
 * only searches the candidates that the last one left.
 */
export class FuzzyIndex<K, T> {
  readonly #positions = new Map<K, number>();
  readonly #keys: K[] = [];
  readonly #items: T[] = [];
  readonly #candidates: FuzzyCandidate[] = [];
  /** The letter masks of the candidates in separate arrays; they exclude most candidates without further work. */
  readonly #letters: LetterMasks = {masks: [], firsts: [], initials: []};
  /** The candidates that the last query's readings left. */
  #narrowed: readonly NarrowedCandidates[] = [];

  get size(): number {
    return this.#items.length;
  }

  get(key: K): T | undefined {
    const position = this.#positions.get(key);
    return position === undefined ? undefined : this.#items[position];
  }

  items(): readonly T[] {
    return this.#items;
  }

  /** Adds or replaces an item. `head` is the offset in `text` where its main part begins. */
  put(key: K, item: T, text: string, head = 0): void {
    const candidate = fuzzyCandidate(text, head);
    const position = this.#positions.get(key) ?? this.#items.length;
    const previous = this.#candidates[position];
    this.#positions.set(key, position);
    this.#keys[position] = key;
    this.#items[position] = item;
    this.#candidates[position] = candidate;
    this.#letters.masks[position] = candidate.mask;
    this.#letters.firsts[position] = candidate.firsts;
    this.#letters.initials[position] = candidate.initials;
    if (previous?.folded !== candidate.folded) this.#narrowed = [];
  }

  /** Replaces an item without changing its text. */
  replace(key: K, item: T): void {
    const position = this.#positions.get(key);
    if (position !== undefined) this.#items[position] = item;
  }

  drop(key: K): void {
    const position = this.#positions.get(key);
    const last = this.#items.length - 1;
    if (position === undefined) return;
    this.#positions.delete(key);
    const lastKey = this.#keys[last];
    if (position !== last && lastKey !== undefined) this.#positions.set(lastKey, position);
    dropAt(this.#keys, position);
    dropAt(this.#items, position);
    dropAt(this.#candidates, position);
    dropAt(this.#letters.masks, position);
    dropAt(this.#letters.firsts, position);
    dropAt(this.#letters.initials, position);
    this.#narrowed = [];
  }

  /** Returns the best matches, best first; equal scores are sorted by length, then alphabetically. */
  find(text: string, options: FuzzyFindOptions<T>): readonly FuzzyResult<T>[] {
    const readings = [text, options.remap?.(text) ?? text];
    const queries = [...new Set(readings)].map((reading) => fuzzyQuery(reading));
    const narrowed: NarrowedCandidates[] = [];
    const bestByIndex = new Map<number, {readonly score: number; readonly query: FuzzyQuery}>();
    for (const query of queries) {
      const best = new BestScores(options.limit, (a, b) => this.#isBefore(a, b));
      narrowed.push(this.#scan(query, options, best));
      for (const {index, score} of best.entries()) {
        const known = bestByIndex.get(index);
        if (known === undefined || score > known.score) bestByIndex.set(index, {score, query});
      }
    }
    this.#narrowed = narrowed;
    return [...bestByIndex]
      .sort(([a, {score: left}], [b, {score: right}]) => right - left || (this.#isBefore(a, b) ? -1 : 1))
      .slice(0, options.limit)
      .flatMap(([index, {score, query}]) => this.#resultAt(index, score, query));
  }

  #resultAt(index: number, score: number, query: FuzzyQuery): FuzzyResult<T>[] {
    const candidate = this.#candidates[index];
    if (candidate === undefined) return [];
    // The index is never beyond the end.
    return [{item: this.#items[index] as T, score, ranges: matchRanges(query, candidate) ?? []}];
  }

  #scan(query: FuzzyQuery, {boost, floor = 0}: FuzzyFindOptions<T>, best: BestScores): NarrowedCandidates {
    const previous = this.#narrowed.find(({whole}) => whole !== '' && query.whole.startsWith(whole))?.indices;
    const {masks, firsts, initials} = this.#letters;
    const [candidates, items] = [this.#candidates, this.#items];
    const {mask, first} = query;
    const maxima = maxScores(query);
    const count = previous?.length ?? masks.length;
    const left = new Int32Array(count);
    const added = boost === undefined ? 0 : maxBoost;
    let [size, lowest] = [0, best.lowest - added];
    for (let position = 0; position < count; position += 1) {
      const index = previous === undefined ? position : (previous[position] ?? 0);
      if ((mask & ~(masks[index] ?? 0)) !== 0) continue;
      const isBegun = (first & ~(firsts[index] ?? 0)) === 0;
      const isWord = (first & ~(initials[index] ?? 0)) === 0;
      // A candidate that cannot be among the best is not scored now; a longer query checks whether it matches.
      const candidate =
        (isBegun ? maxima.begun : isWord ? maxima.word : maxima.inside) < lowest ? undefined : candidates[index];
      const score = candidate === undefined ? 0 : fuzzyScore(query, candidate);
      if (score < 0) continue;
      left[size] = index;
      size += 1;
      if (candidate === undefined || score < floor || score < lowest) continue;
      // The index is never beyond the end.
      best.offer({index, score: boost === undefined ? score : score + boost(items[index] as T)});
      lowest = best.lowest - added;
    }
    return {whole: query.whole, indices: left.subarray(0, size)};
  }

  #isBefore(a: number, b: number): boolean {
    const left = this.#candidates[a]?.folded ?? '';
    const right = this.#candidates[b]?.folded ?? '';
    if (left.length !== right.length) return left.length < right.length;
    return left === right ? a < b : left < right;
  }
}

/** Removes an element in constant time by moving the last one to its position. */
function dropAt<V>(list: V[], position: number): void {
  const last = list.pop();
  if (position < list.length && last !== undefined) list[position] = last;
}

interface Scored {
  readonly index: number;
  readonly score: number;
}

/** Collects the best few of many scores in a heap with the worst of them on top; most others cost one comparison. */
class BestScores {
  readonly #limit: number;
  readonly #compare: (a: Scored, b: Scored) => number;
  readonly #worstFirst: Heap<Scored>;

  constructor(limit: number, isBefore: (a: number, b: number) => boolean) {
    this.#limit = limit;
    this.#compare = (a, b) => a.score - b.score || (isBefore(a.index, b.index) ? 1 : -1);
    this.#worstFirst = new Heap(this.#compare);
  }

  /** The lowest score that can still be among the best. */
  get lowest(): number {
    return this.#worstFirst.size < this.#limit ? -1 : (this.#worstFirst.peek()?.score ?? -1);
  }

  offer(scored: Scored): void {
    const worst = this.#worstFirst.peek();
    const isFull = this.#worstFirst.size >= this.#limit;
    if (isFull && (worst === undefined || this.#compare(scored, worst) <= 0)) return;
    if (isFull) this.#worstFirst.pop();
    this.#worstFirst.push(scored);
  }

  entries(): Iterable<Scored> {
    return this.#worstFirst;
  }
}
