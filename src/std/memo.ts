import {LruCache} from './lru-cache.ts';
import type {SortedMap} from './sorted-map.ts';

type MemoKey = number | string;

/**
 * The last results of a function, two by default: a caller that compares the painted state with the current
 * one alternates between both.
 */
export class RecentResults<Input, Result> {
  readonly #maxResults: number;
  /** Latest first. Changed in place: every frame asks hundreds of times. */
  readonly #recent: {readonly input: Input; readonly result: Result}[] = [];

  constructor(maxResults = 2) {
    this.#maxResults = maxResults;
  }

  /**
   * Returns the result for an input. `compute` may start from the previous result, but must return what it
   * would return without it. `kept` is the part of the input that is compared later: the rest need not stay in memory.
   */
  get(
    input: Input,
    isSame: (a: Input, b: Input) => boolean,
    compute: (before: Result | undefined) => Result,
    kept: (input: Input) => Input = (whole) => whole,
  ): Result {
    const recent = this.#recent;
    let at = 0;
    for (let known = recent[at]; known !== undefined; known = recent[++at]) {
      if (!isSame(known.input, input)) continue;
      if (at > 0) recent.unshift(...recent.splice(at, 1));
      return known.result;
    }
    const result = compute(recent[0]?.result);
    recent.unshift({input: kept(input), result});
    if (recent.length > this.#maxResults) recent.pop();
    return result;
  }
}

/** Memoizes a function by all its arguments, for its last two calls by default. */
export function memoizeLast<A extends readonly unknown[], T>(
  compute: (...args: A) => T,
  maxResults?: number,
): (...args: A) => T {
  const results = new RecentResults<A, T>(maxResults);
  return (...args) => results.get(args, sameArguments, () => compute(...args));
}

export function sameArguments(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/**
 * Returns a function that replaces a value by an equal one of its last two values, so that equal values are
 * the same object.
 */
export function reuseEqualValue<T>(isSame: (a: T, b: T) => boolean): (value: T) => T {
  const results = new RecentResults<T, T>();
  return (value) => results.get(value, isSame, () => value);
}

/** Returns such a function for objects that are equal when their fields are. */
export function reuseEqualFields<T extends object>(): (fields: T) => T {
  return reuseEqualValue<T>(sameFields);
}

/** Memoizes a function by its first argument, an object, for as long as that is in memory: its result for the last other arguments. */
export function memoByObject<K extends object, A extends readonly unknown[], T>(
  compute: (object: K, ...args: A) => T,
): (object: K, ...args: A) => T {
  const results = new WeakMap<K, {readonly args: A; readonly result: T}>();
  return (object, ...args) => {
    const known = results.get(object);
    if (known !== undefined && sameArguments(known.args, args)) return known.result;
    const result = compute(object, ...args);
    results.set(object, {args, result});
    return result;
  };
}

/**
 * Memoizes a selector for as long as the named slices are the same objects; `compute` must read no others. It may start
 * from the previous result, which was for another state, but must return what it would return without it.
 */
export function memoBySlices<S extends object, T>(
  slices: readonly (keyof S)[],
  compute: (state: S, before: T | undefined) => T,
) {
  const results = new RecentResults<S, T>();
  const isSame = (a: S, b: S) => sameSlices(slices, a, b);
  const kept = (state: S) => onlySlices(slices, state);
  const memoised = (state: S): T => results.get(state, isSame, (before) => compute(state, before), kept);
  return Object.assign(memoised, {slices});
}

/** Memoizes a selector with an argument: one result for each of the last arguments. */
export function memoBySlicesAndArgument<S extends object, A extends MemoKey, T>(
  slices: readonly (keyof S)[],
  compute: (state: S, argument: A) => T,
  capacity = 16,
) {
  const results = new LruCache<A, {readonly state: S; readonly result: T}>(capacity);
  const memoised = (state: S, argument: A): T => {
    const cached = results.get(argument);
    if (cached !== undefined && sameSlices(slices, cached.state, state)) return cached.result;
    const result = compute(state, argument);
    results.set(argument, {state: onlySlices(slices, state), result});
    return result;
  };
  return Object.assign(memoised, {slices});
}

/** Returns the slices that are compared: a whole state would keep everything else of it in memory. */
function onlySlices<S extends object>(slices: readonly (keyof S)[], state: S): S {
  return Object.fromEntries(slices.map((name) => [name, state[name]])) as S; // Nothing else is read.
}

function sameSlices<S>(slices: readonly (keyof S)[], a: S, b: S): boolean {
  if (a === b) return true;
  for (const name of slices) if (a[name] !== b[name]) return false;
  return true;
}

/** A sorted or packed map. */
interface ComparableMap<K, V, M> {
  changesSince(before: M, visit: (key: K, now: V | undefined, then: V | undefined) => void): void;
}

/**
 * Maintains an aggregate over a map from the changes since the last call: the first call costs the map, later
 * ones the changes. The aggregate is changed in place: read it at once, never store it.
 */
export function memoByChanges<K extends MemoKey, V, Sum, M extends ComparableMap<K, V, M> = SortedMap<K, V>>(
  start: () => {readonly sum: Sum; readonly of: M},
  change: (sum: Sum, key: K, now: V | undefined, then: V | undefined) => void,
): (map: M) => Sum {
  let last: {sum: Sum; of: M} | undefined;
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
 * Maps a list that mostly equals the previous one with a few items changed: results for the common head and
 * tail are reused. `basis` is everything else that `make` reads; when it changes, all items are mapped again.
 * An equal list gives the same array.
 */
export class IncrementalMapper<A, B> {
  #items: readonly A[] = [];
  #results: readonly B[] = [];
  #basis: readonly unknown[] = [];

  map(items: readonly A[], make: (item: A) => B, ...basis: readonly unknown[]): readonly B[] {
    const isSameBasis = sameItems(this.#basis, basis);
    this.#results = isSameBasis ? mappedFrom(this.#items, this.#results, items, make) : items.map((item) => make(item));
    this.#items = items;
    this.#basis = basis;
    return this.#results;
  }
}

/**
 * Returns `items.map(make)` from the results for an earlier list: items that both lists have at their head
 * and tail are not mapped again. An equal list gives the same array.
 */
export function mappedFrom<A, B>(
  before: readonly A[],
  results: readonly B[],
  items: readonly A[],
  make: (item: A) => B,
): readonly B[] {
  const head = commonHead(before, items);
  if (head === items.length && head === before.length) return results;
  const tail = commonTail(before, items, head);
  const between = items.slice(head, items.length - tail).map((item) => make(item));
  return results.slice(0, head).concat(between, results.slice(results.length - tail));
}

function commonHead(a: readonly unknown[], b: readonly unknown[]): number {
  const maxResults = Math.min(a.length, b.length);
  let count = 0;
  while (count < maxResults && a[count] === b[count]) count++;
  return count;
}

/** Counts the common items at the end, without those counted as head. */
function commonTail(a: readonly unknown[], b: readonly unknown[], head: number): number {
  const maxResults = Math.min(a.length, b.length) - head;
  let count = 0;
  while (count < maxResults && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}

/** Returns the previous object when the new one has equal fields, so that results computed from it stay valid. */
export function reuseIfEqual<T extends object>(before: T | undefined, now: T): T {
  return before !== undefined && sameFields(before, now) ? before : now;
}

/** Compares objects field by field, and fields that are lists item by item. */
export function sameFields<T extends object>(a: T, b: T): boolean {
  // Only the keys of `b` are compared: the same code creates both objects, so they have the same keys.
  for (const key in b) {
    if (a[key] !== b[key] && !sameItems(a[key], b[key])) return false;
  }
  return true;
}

function sameItems(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((item, index) => item === b[index]);
}
