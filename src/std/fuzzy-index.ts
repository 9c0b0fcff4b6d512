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

export interface FuzzyResult<T> {
  readonly item: T;
  /** With what was added to it. */
  readonly score: number;
  readonly ranges: readonly MatchRange[];
}

export interface FuzzyFindOptions<T> {
  readonly limit: number;
  /** Added to the score of what fits; at most 100, so that a better kind of match stays ahead. */
  readonly boost?: ((item: T) => number) | undefined;
  /** What fits worse is left out. */
  readonly floor?: number | undefined;
  /** The same keys on another keyboard layout: a second reading of what was typed. */
  readonly remap?: ((text: string) => string) | undefined;
}

const mostBoost = 100;

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
 * Many texts that are searched at every key. Each is prepared once; a query that goes on from the last one looks only at
 * what that one left.
 */
export class FuzzyIndex<K, T> {
  readonly #places = new Map<K, number>();
  readonly #keys: K[] = [];
  readonly #items: T[] = [];
  readonly #candidates: FuzzyCandidate[] = [];
  /** Of the candidates, side by side: most of them are never looked at any closer. */
  readonly #letters: LetterMasks = {masks: [], firsts: [], initials: []};
  /** What the last query and its second reading left. */
  #narrowed: readonly NarrowedCandidates[] = [];

  get size(): number {
    return this.#items.length;
  }

  get(key: K): T | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#items[place];
  }

  items(): readonly T[] {
    return this.#items;
  }

  /** `head`: where in `text` its main part begins. */
  put(key: K, item: T, text: string, head = 0): void {
    const candidate = fuzzyCandidate(text, head);
    const place = this.#places.get(key) ?? this.#items.length;
    const before = this.#candidates[place];
    this.#places.set(key, place);
    this.#keys[place] = key;
    this.#items[place] = item;
    this.#candidates[place] = candidate;
    this.#letters.masks[place] = candidate.mask;
    this.#letters.firsts[place] = candidate.firsts;
    this.#letters.initials[place] = candidate.initials;
    if (before?.folded !== candidate.folded) this.#narrowed = [];
  }

  /** What is searched stays; only what is found is another. */
  replace(key: K, item: T): void {
    const place = this.#places.get(key);
    if (place !== undefined) this.#items[place] = item;
  }

  drop(key: K): void {
    const place = this.#places.get(key);
    const last = this.#items.length - 1;
    if (place === undefined) return;
    this.#places.delete(key);
    const lastKey = this.#keys[last];
    if (place !== last && lastKey !== undefined) this.#places.set(lastKey, place);
    dropAt(this.#keys, place);
    dropAt(this.#items, place);
    dropAt(this.#candidates, place);
    dropAt(this.#letters.masks, place);
    dropAt(this.#letters.firsts, place);
    dropAt(this.#letters.initials, place);
    this.#narrowed = [];
  }

  /** The best, best first; of equals the shorter, then by the alphabet. */
  find(text: string, options: FuzzyFindOptions<T>): readonly FuzzyResult<T>[] {
    const readings = [text, options.remap?.(text) ?? text];
    const queries = [...new Set(readings)].map((reading) => fuzzyQuery(reading));
    const narrowed: NarrowedCandidates[] = [];
    const found = new Map<number, {readonly score: number; readonly query: FuzzyQuery}>();
    for (const query of queries) {
      const best = new BestScores(options.limit, (a, b) => this.#isBefore(a, b));
      narrowed.push(this.#scan(query, options, best));
      for (const {index, score} of best.entries()) {
        const known = found.get(index);
        if (known === undefined || score > known.score) found.set(index, {score, query});
      }
    }
    this.#narrowed = narrowed;
    return [...found]
      .sort(([a, {score: left}], [b, {score: right}]) => right - left || (this.#isBefore(a, b) ? -1 : 1))
      .slice(0, options.limit)
      .flatMap(([index, {score, query}]) => this.#foundAt(index, score, query));
  }

  #foundAt(index: number, score: number, query: FuzzyQuery): FuzzyResult<T>[] {
    const candidate = this.#candidates[index];
    if (candidate === undefined) return [];
    // Never asked beyond the end.
    return [{item: this.#items[index] as T, score, ranges: matchRanges(query, candidate) ?? []}];
  }

  #scan(query: FuzzyQuery, {boost, floor = 0}: FuzzyFindOptions<T>, best: BestScores): NarrowedCandidates {
    const before = this.#narrowed.find(({whole}) => whole !== '' && query.whole.startsWith(whole))?.indices;
    const {masks, firsts, initials} = this.#letters;
    const [candidates, items] = [this.#candidates, this.#items];
    const {mask, first} = query;
    const most = maxScores(query);
    const count = before?.length ?? masks.length;
    const left = new Int32Array(count);
    const added = boost === undefined ? 0 : mostBoost;
    let [size, least] = [0, best.least - added];
    for (let place = 0; place < count; place += 1) {
      const index = before === undefined ? place : (before[place] ?? 0);
      if ((mask & ~(masks[index] ?? 0)) !== 0) continue;
      const isBegun = (first & ~(firsts[index] ?? 0)) === 0;
      const isWord = (first & ~(initials[index] ?? 0)) === 0;
      // What cannot be among the best is kept unseen: a longer query will see whether it fits at all.
      const candidate =
        (isBegun ? most.begun : isWord ? most.word : most.inside) < least ? undefined : candidates[index];
      const score = candidate === undefined ? 0 : fuzzyScore(query, candidate);
      if (score < 0) continue;
      left[size] = index;
      size += 1;
      if (candidate === undefined || score < floor || score < least) continue;
      // Never asked beyond the end.
      best.offer(index, boost === undefined ? score : score + boost(items[index] as T));
      least = best.least - added;
    }
    return {whole: query.whole, indices: left.subarray(0, size)};
  }

  #isBefore(a: number, b: number): boolean {
    const [left, right] = [this.#candidates[a]?.folded ?? '', this.#candidates[b]?.folded ?? ''];
    if (left.length !== right.length) return left.length < right.length;
    return left === right ? a < b : left < right;
  }
}

/** The last takes its place, which costs the same wherever it was. */
function dropAt<V>(list: V[], place: number): void {
  const last = list.pop();
  if (place < list.length && last !== undefined) list[place] = last;
}

/** The best few of many, as a heap with the worst of them on top: most of the many cost one comparison. */
class BestScores {
  readonly #limit: number;
  readonly #isBefore: (a: number, b: number) => boolean;
  readonly #indices: number[] = [];
  readonly #scores: number[] = [];

  constructor(limit: number, isBefore: (a: number, b: number) => boolean) {
    this.#limit = limit;
    this.#isBefore = isBefore;
  }

  /** What has less is not among them. */
  get least(): number {
    return this.#indices.length < this.#limit ? -1 : (this.#scores[0] ?? -1);
  }

  offer(index: number, score: number): void {
    const size = this.#indices.length;
    if (size < this.#limit) {
      this.#set(size, index, score);
      this.#rise(size);
    } else if (size > 0 && this.#isWorse(0, index, score)) {
      this.#set(0, index, score);
      this.#sink();
    }
  }

  entries(): {readonly index: number; readonly score: number}[] {
    return this.#indices.map((index, place) => ({index, score: this.#scores[place] ?? 0}));
  }

  #set(place: number, index: number, score: number): void {
    this.#indices[place] = index;
    this.#scores[place] = score;
  }

  /** Whether what stands at a place comes after the given one. */
  #isWorse(place: number, index: number, score: number): boolean {
    const own = this.#scores[place] ?? 0;
    return own < score || (own === score && this.#isBefore(index, this.#indices[place] ?? 0));
  }

  #rise(from: number): void {
    for (let place = from; place > 0; ) {
      const parent = (place - 1) >> 1;
      if (this.#isWorse(parent, this.#indices[place] ?? 0, this.#scores[place] ?? 0)) return;
      this.#swap(place, parent);
      place = parent;
    }
  }

  #sink(): void {
    for (let place = 0; ; ) {
      let worst = place;
      for (const child of [2 * place + 1, 2 * place + 2]) {
        const isThere = child < this.#indices.length;
        if (isThere && this.#isWorse(child, this.#indices[worst] ?? 0, this.#scores[worst] ?? 0))
          worst = child;
      }
      if (worst === place) return;
      this.#swap(place, worst);
      place = worst;
    }
  }

  #swap(a: number, b: number): void {
    const [index, score] = [this.#indices[a] ?? 0, this.#scores[a] ?? 0];
    this.#set(a, this.#indices[b] ?? 0, this.#scores[b] ?? 0);
    this.#set(b, index, score);
  }
}
