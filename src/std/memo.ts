import {LruCache} from './lru-cache.ts';
import type {SortedMap} from './sorted-map.ts';

type MemoKey = number | string;

export interface MemoizedSelector<S, T> {
  (state: S): T;
  /** The slices of the state that the result depends on. */
  readonly slices: readonly (keyof S)[];
}

export interface MemoizedSelectorWithArgument<S, A extends MemoKey, T> {
  (state: S, argument: A): T;
  readonly slices: readonly (keyof S)[];
}

/**
 * Caches the results for the last two inputs. Code that compares the painted frame with the current state computes both in
 * turn, and a cache of one would never hit.
 */
export class TwoEntryCache<Input, Result> {
  #last: {readonly input: Input; readonly result: Result} | undefined;
  #previous: {readonly input: Input; readonly result: Result} | undefined;

  get(input: Input, isSame: (a: Input, b: Input) => boolean, compute: () => Result): Result {
    if (this.#last !== undefined && isSame(this.#last.input, input)) return this.#last.result;
    const before = this.#previous;
    this.#previous = this.#last;
    const isCached = before !== undefined && isSame(before.input, input);
    const now = isCached ? before : {input, result: compute()};
    this.#last = now;
    return now.result;
  }
}

/** Caches a function's result while the named slices are the same objects. The function must read no other slices. */
export function memoBySlices<S extends object, T>(
  slices: readonly (keyof S)[],
  compute: (state: S) => T,
): MemoizedSelector<S, T> {
  const results = new TwoEntryCache<S, T>();
  const isSame = (a: S, b: S) => sameSlices(slices, a, b);
  const memoized = (state: S): T => results.get(state, isSame, () => compute(state));
  return Object.assign(memoized, {slices});
}

/** Like `memoBySlices` for a function with an argument: caches a result for each of the arguments used last. */
export function memoBySlicesAndArgument<S extends object, A extends MemoKey, T>(
  slices: readonly (keyof S)[],
  compute: (state: S, argument: A) => T,
  capacity = 16,
): MemoizedSelectorWithArgument<S, A, T> {
  const results = new LruCache<A, {readonly state: S; readonly result: T}>(capacity);
  const memoized = (state: S, argument: A): T => {
    const known = results.get(argument);
    if (known !== undefined && sameSlices(slices, known.state, state)) return known.result;
    const result = compute(state, argument);
    results.set(argument, {state, result});
    return result;
  };
  return Object.assign(memoized, {slices});
}

function sameSlices<S>(slices: readonly (keyof S)[], a: S, b: S): boolean {
  return a === b || slices.every((name) => a[name] === b[name]);
}

/**
 * Returns a function that maintains an aggregate of a map by its changes: the first call takes time in the size of the map,
 * later ones in the number of changes. The aggregate is changed in place, so read it at once and do not store it.
 */
export function memoByChanges<K extends MemoKey, V, Sum>(
  start: () => {readonly sum: Sum; readonly of: SortedMap<K, V>},
  change: (sum: Sum, key: K, now: V | undefined, then: V | undefined) => void,
): (map: SortedMap<K, V>) => Sum {
  let last: {sum: Sum; of: SortedMap<K, V>} | undefined;
  return (map) => {
    last ??= {...start()};
    const {sum, of} = last;
    if (of !== map) {
      map.changesSince(of, (key, now, then) => change(sum, key, now, then));
      last.of = map;
    }
    return sum;
  };
}

/**
 * Maps a list that is mostly equal to the last one. Results for the common head and tail are reused. `dependencies` are the
 * other inputs of `compute`; when they change, everything is computed again. An equal list returns the same array.
 */
export class IncrementalMapper<A, B> {
  #items: readonly A[] = [];
  #results: readonly B[] = [];
  #dependencies: readonly unknown[] = [];

  map(items: readonly A[], compute: (item: A) => B, ...dependencies: readonly unknown[]): readonly B[] {
    const hasSameDependencies = sameItems(this.#dependencies, dependencies);
    const head = hasSameDependencies ? commonHead(this.#items, items) : 0;
    const isSame = hasSameDependencies && head === items.length && head === this.#items.length;
    if (isSame) return this.#results;
    const tail = hasSameDependencies ? commonTail(this.#items, items, head) : 0;
    const between = items.slice(head, items.length - tail).map((item) => compute(item));
    const before = this.#results;
    this.#results = before.slice(0, head).concat(between, before.slice(before.length - tail));
    this.#items = items;
    this.#dependencies = dependencies;
    return this.#results;
  }
}

function commonHead(a: readonly unknown[], b: readonly unknown[]): number {
  const maxCount = Math.min(a.length, b.length);
  let count = 0;
  while (count < maxCount && a[count] === b[count]) count++;
  return count;
}

/** Returns the length of the common tail, not counting the head. */
function commonTail(a: readonly unknown[], b: readonly unknown[], head: number): number {
  const maxCount = Math.min(a.length, b.length) - head;
  let count = 0;
  while (count < maxCount && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}

/** Returns the previous object when the new one is equal, so that results derived from it stay valid. */
export function reuseIfEqual<T extends object>(before: T | undefined, now: T): T {
  return before !== undefined && sameFields(before, now) ? before : now;
}

function sameFields<T extends object>(a: T, b: T): boolean {
  // Both objects have the same keys, because the same code creates them.
  for (const key in b) {
    const [left, right] = [a[key], b[key]];
    if (left !== right && !sameItems(left, right)) return false;
  }
  return true;
}

function sameItems(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((item, index) => item === b[index]);
}
