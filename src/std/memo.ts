import {LruCache} from './lru-cache.ts';
import type {SortedMap} from './sorted-map.ts';

type MemoKey = number | string;

export interface MemoizedSelector<S, T> {
  (state: S): T;
  /** What the answer depends on. */
  readonly slices: readonly (keyof S)[];
}

export interface MemoizedSelectorWithArgument<S, A extends MemoKey, T> {
  (state: S, argument: A): T;
  readonly slices: readonly (keyof S)[];
}

/**
 * The answers of the last questions, two unless told otherwise: whoever compares what was painted with what is known by now
 * asks about both in turn.
 */
export class RecentAnswers<Question, Answer> {
  readonly #most: number;
  #kept: readonly {readonly question: Question; readonly answer: Answer}[] = [];

  constructor(most = 2) {
    this.#most = most;
  }

  /** `compute` may start from the answer before: it must give what it would give without it. */
  to(
    question: Question,
    isSame: (a: Question, b: Question) => boolean,
    compute: (before: Answer | undefined) => Answer,
  ): Answer {
    const [last] = this.#kept;
    if (last !== undefined && isSame(last.question, question)) return last.answer;
    const known = this.#kept.find((one) => isSame(one.question, question));
    const now = known ?? {question, answer: compute(last?.answer)};
    this.#kept = [now, ...this.#kept.filter((one) => one !== known)].slice(0, this.#most);
    return now.answer;
  }
}

/** Returns the function with its last answers kept, two unless told otherwise, by all arguments. */
export function memoizeLast<A extends readonly unknown[], T>(
  compute: (...args: A) => T,
  most?: number,
): (...args: A) => T {
  const answers = new RecentAnswers<A, T>(most);
  return (...args) => answers.to(args, sameArguments, () => compute(...args));
}

export function sameArguments(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

/** Returns a function that gives the same object for values that are the same: one of the last two that it was given. */
export function cachedLine<T>(isSame: (a: T, b: T) => boolean): (value: T) => T {
  const answers = new RecentAnswers<T, T>();
  return (value) => answers.to(value, isSame, () => value);
}

/** The same for objects with the same fields. */
export function steadyFields<T extends object>(): (fields: T) => T {
  return cachedLine<T>(sameFields);
}

/** The same for each item of a list, by its place. */
export function steadyItems<T>(isSame: (a: T, b: T) => boolean): (items: readonly T[]) => readonly T[] {
  let last: readonly T[] = [];
  return (items) => {
    last = items.map((item, at) => {
      const before = last[at];
      return before !== undefined && isSame(before, item) ? before : item;
    });
    return last;
  };
}

/**
 * Remembers answers for as long as the named slices are the same objects. It must read no others. `compute` may start from the
 * answer before, which was about another state: it must give what it would give without it.
 */
export function memoBySlices<S extends object, T>(
  slices: readonly (keyof S)[],
  compute: (state: S, before: T | undefined) => T,
): MemoizedSelector<S, T> {
  const answers = new RecentAnswers<S, T>();
  const isSame = (a: S, b: S) => sameSlices(slices, a, b);
  const memoised = (state: S): T => answers.to(state, isSame, (before) => compute(state, before));
  return Object.assign(memoised, {slices});
}

/** The same for a function with an argument: one answer for each of the arguments used last. */
export function memoBySlicesAndArgument<S extends object, A extends MemoKey, T>(
  slices: readonly (keyof S)[],
  compute: (state: S, argument: A) => T,
  capacity = 16,
): MemoizedSelectorWithArgument<S, A, T> {
  const answers = new LruCache<A, {readonly state: S; readonly answer: T}>(capacity);
  const memoised = (state: S, argument: A): T => {
    const known = answers.get(argument);
    if (known !== undefined && sameSlices(slices, known.state, state)) return known.answer;
    const answer = compute(state, argument);
    answers.set(argument, {state, answer});
    return answer;
  };
  return Object.assign(memoised, {slices});
}

function sameSlices<S>(slices: readonly (keyof S)[], a: S, b: S): boolean {
  return a === b || slices.every((name) => a[name] === b[name]);
}

/**
 * Something summed up over a map, kept up to date by what changed since the map was last seen: the first time costs the
 * map, later ones the changes. The sum is changed in place: read it at once, never keep it.
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
 * Maps a list that mostly is the last one with a few items changed: what is alike at its head and at its tail keeps what was
 * made of it. `basis` is what else `make` reads; when that is another, everything is made again. An equal list gives the
 * same array.
 */
export class IncrementalMapper<A, B> {
  #items: readonly A[] = [];
  #made: readonly B[] = [];
  #basis: readonly unknown[] = [];

  map(items: readonly A[], make: (item: A) => B, ...basis: readonly unknown[]): readonly B[] {
    const isSameBasis = sameItems(this.#basis, basis);
    this.#made = isSameBasis
      ? mappedFrom(this.#items, this.#made, items, make)
      : items.map((item) => make(item));
    this.#items = items;
    this.#basis = basis;
    return this.#made;
  }
}

/**
 * Returns `items.map(make)`, given what was made of other items before: what both lists have at their heads and at their tails
 * is not made again. An equal list gives the same array.
 */
export function mappedFrom<A, B>(
  before: readonly A[],
  made: readonly B[],
  items: readonly A[],
  make: (item: A) => B,
): readonly B[] {
  const head = commonHead(before, items);
  if (head === items.length && head === before.length) return made;
  const tail = commonTail(before, items, head);
  const between = items.slice(head, items.length - tail).map((item) => make(item));
  return made.slice(0, head).concat(between, made.slice(made.length - tail));
}

function commonHead(a: readonly unknown[], b: readonly unknown[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count++;
  return count;
}

/** Of what is left after the head. */
function commonTail(a: readonly unknown[], b: readonly unknown[], head: number): number {
  const most = Math.min(a.length, b.length) - head;
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}

/** The object from before when the new one says the same, so that what was made from it need not be made again. */
export function reuseIfEqual<T extends object>(before: T | undefined, now: T): T {
  return before !== undefined && sameFields(before, now) ? before : now;
}

function sameFields<T extends object>(a: T, b: T): boolean {
  // Keys are those of `b`: both come from the same place in the code.
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
