import {LruCache} from './lru-cache.ts';
import type {SortedMap} from './sorted-map.ts';

type MemoKey = number | string;

/*
 * Three kinds of results are remembered: by declared inputs (`memoByInputs`, `memoBySlices`, `memoByChanges` and what is built on
 * them), by an object for as long as that lives (`memoByObject`), and texts or lines in a cache of bounded size (`LruCache`).
 * Results by inputs belong to an owner, such as the account or the screen, and end with it: several owners do not take each
 * other's place.
 */

/** The last results of one owner, two by default: a caller that compares the painted state with the current one alternates between both. */
class RecentResults<Input, Result> {
  readonly #maxResults: number;
  /** Latest first. Changed in place: every frame asks hundreds of times. */
  readonly #recent: {readonly input: Input; readonly result: Result}[] = [];

  constructor(maxResults = 2) {
    this.#maxResults = maxResults;
  }

  /** Returns the remembered result; undefined if there is none for this input. */
  find(input: Input, isSame: (a: Input, b: Input) => boolean): {readonly result: Result} | undefined {
    const recent = this.#recent;
    let at = 0;
    for (let known = recent[at]; known !== undefined; known = recent[++at]) {
      if (!isSame(known.input, input)) continue;
      if (at > 0) recent.unshift(...recent.splice(at, 1));
      return known;
    }
    return undefined;
  }

  get latest(): Result | undefined {
    return this.#recent[0]?.result;
  }

  add(input: Input, result: Result): Result {
    this.#recent.unshift({input, result});
    if (this.#recent.length > this.#maxResults) this.#recent.pop();
    return result;
  }
}

/** What a selector says that it reads: names of slices, or a function that returns its inputs. */
export type DeclaredReads =
  | {readonly slices: readonly PropertyKey[]; readonly isVersion?: true}
  // biome-ignore lint/suspicious/noExplicitAny: A function of any arguments.
  | {readonly inputs: (...args: any[]) => readonly unknown[]};

/** Returns the selector that `make` returns for a computation, or one that does the same and reports what it reads. */
export type MemoObserver = <C, F>(declared: DeclaredReads, compute: C, make: (compute: C) => F) => F;

let observer: MemoObserver | undefined;

/** Lets a test observe every selector by declared inputs that is created from now on; the program never does. */
export function observeMemos(next: MemoObserver | undefined): void {
  observer = next;
}

function announced<C, F>(declared: DeclaredReads, compute: C, make: (compute: C) => F): F {
  return observer === undefined ? make(compute) : observer(declared, compute, make);
}

export function sameArguments(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
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

/** Returns what belongs to an owner, made on first use. Like `memoByObject`, without other arguments: it is asked most often. */
function byOwner<T>(make: () => T): (owner: object) => T {
  const all = new WeakMap<object, T>();
  return (owner) => {
    const known = all.get(owner);
    if (known !== undefined) return known;
    const made = make();
    all.set(owner, made);
    return made;
  };
}

/**
 * Memoizes a function by its inputs: the last two results of each owner, unless `maxResults` says otherwise. `compute` must read
 * nothing but the inputs. `reuse` may replace a result by equal parts of the one before. Repeated calls with the same arguments do
 * not even compare the inputs.
 */
export function memoByInputs<K extends object, Rest extends readonly unknown[], T>(
  ownerOf: (object: K) => object,
  inputs: (object: K, ...rest: Rest) => readonly unknown[],
  compute: (object: K, ...rest: Rest) => T,
  maxResults?: number,
  reuse: (now: T, before: T | undefined) => T = (now) => now,
): (object: K, ...rest: Rest) => T {
  return announced({inputs}, compute, (run) => {
    const resultsOf = byOwner(() => new RecentResults<readonly unknown[], T>(maxResults));
    return memoByObject((object: K, ...rest: Rest): T => {
      const results = resultsOf(ownerOf(object));
      const input = inputs(object, ...rest);
      const known = results.find(input, sameArguments);
      if (known !== undefined) return known.result;
      return results.add(input, reuse(run(object, ...rest), results.latest));
    });
  });
}

/** A state whose results end with its `self`: an account. */
interface OwnedState {
  readonly self: object;
}

/**
 * Memoizes a selector for as long as the named slices are the same objects; `compute` must read no others. It may start
 * from the previous result, which was for another state, but must return what it would return without it.
 */
export function memoBySlices<S extends OwnedState, T>(
  slices: readonly (keyof S)[],
  compute: (state: S, before: T | undefined) => T,
) {
  return Object.assign(selectorOf({slices}, slices, compute), {slices});
}

/**
 * Returns a selector of an object that is another one whenever a slice is. As an input it stands for the slices, which would be kept
 * in memory with every result of earlier ones.
 */
export function versionOfSlices<S extends OwnedState>(slices: readonly (keyof S)[]): (state: S) => object {
  return selectorOf({slices, isVersion: true}, slices, (_state: S) => ({}));
}

function selectorOf<S extends OwnedState, T>(
  declared: DeclaredReads,
  slices: readonly (keyof S)[],
  compute: (state: S, before: T | undefined) => T,
) {
  return announced(declared, compute, (run) => recentOf(slices, run));
}

function recentOf<S extends OwnedState, T>(
  slices: readonly (keyof S)[],
  run: (state: S, before: T | undefined) => T,
): (state: S) => T {
  const isSame = (a: S, b: S) => sameSlices(slices, a, b);
  const resultsOf = byOwner(() => new RecentResults<S, T>());
  return (state) => {
    const results = resultsOf(state.self);
    const known = results.find(state, isSame);
    return known === undefined ? results.add(onlySlices(slices, state), run(state, results.latest)) : known.result;
  };
}

/** Memoizes a selector with an argument: one result for each of the last arguments, which keeps no slices in memory. */
export function memoBySlicesAndArgument<S extends OwnedState, A extends MemoKey, T>(
  slices: readonly (keyof S)[],
  compute: (state: S, argument: A) => T,
  capacity = 16,
) {
  return announced({slices}, compute, (run) => {
    const resultsOf = byOwner(() => new LruCache<A, {readonly version: object; readonly result: T}>(capacity));
    const versionOf = recentOf<S, object>(slices, () => ({}));
    return (state: S, argument: A): T => {
      const results = resultsOf(state.self);
      const version = versionOf(state);
      const cached = results.get(argument);
      if (cached?.version === version) return cached.result;
      const result = run(state, argument);
      results.set(argument, {version, result});
      return result;
    };
  });
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
 * Maintains an aggregate over an owner's map from the changes since the last call: the first call costs the map, later
 * ones the changes. The aggregate is changed in place: read it at once, never store it.
 */
export function memoByChanges<
  O extends object,
  K extends MemoKey,
  V,
  Sum,
  M extends ComparableMap<K, V, M> = SortedMap<K, V>,
>(
  start: () => {readonly sum: Sum; readonly of: M},
  change: (sum: Sum, key: K, now: V | undefined, then: V | undefined, owner: O) => void,
): (owner: O, map: M) => Sum {
  const lastOf = memoByObject((_owner: O): {sum: Sum; of: M} => ({...start()}));
  return (owner, map) => {
    const last = lastOf(owner);
    const {sum, of} = last;
    if (of !== map) {
      map.changesSince(of, (key, now, then) => change(sum, key, now, then, owner));
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
  const length = Math.min(a.length, b.length);
  let count = 0;
  while (count < length && a[count] === b[count]) count++;
  return count;
}

/** Counts the common items at the end, without those counted as head. */
function commonTail(a: readonly unknown[], b: readonly unknown[], head: number): number {
  const length = Math.min(a.length, b.length) - head;
  let count = 0;
  while (count < length && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
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
