import sortedBtree from 'sorted-btree';
import treeBulk from 'sorted-btree/extended/bulkLoad.js';
import treeDifference from 'sorted-btree/extended/diffAgainst.js';

type TreeClass = typeof sortedBtree.default;
type Tree<K, V> = sortedBtree.default<K, V>;
// The package is CommonJS: Node gives its default export one level deeper, some loaders unwrap it.
const BTree = sortedBtree.default ?? (sortedBtree as unknown as TreeClass);
const {bulkLoad} = treeBulk;
const diffAgainst = treeDifference.default ?? (treeDifference as unknown as typeof treeDifference.default);

type SortKey = number | string;

function compare(a: SortKey, b: SortKey): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Twice the default: one level less where there are a hundred thousand, and copying a node is still cheap. */
const nodeSize = 64;

function isAscending(keys: readonly SortKey[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if (compare(key(keys, index - 1), key(keys, index)) >= 0) return false;
  }
  return true;
}

function key<K extends SortKey>(keys: readonly K[], index: number): K {
  return keys[index] as K; // Never asked beyond the end.
}

/**
 * A map in key order that never changes: `with` and `without` give another one that shares all but a few nodes with it,
 * so a change costs the same whatever the size.
 */
export class SortedMap<K extends SortKey, V> implements Iterable<[K, V]> {
  readonly #tree: Tree<K, V>;

  private constructor(tree: Tree<K, V>) {
    this.#tree = tree;
  }

  static readonly #empty = new SortedMap<never, never>(new BTree<never, never>(undefined, compare, nodeSize));

  static empty<K extends SortKey, V>(): SortedMap<K, V> {
    return SortedMap.#empty as unknown as SortedMap<K, V>; // An empty map holds nothing of any type.
  }

  /** Of equal keys the last counts. */
  static from<K extends SortKey, V>(entries: Iterable<readonly [K, V]>): SortedMap<K, V> {
    const [keys, values]: [K[], V[]] = [[], []];
    for (const [key, value] of entries) {
      keys.push(key);
      values.push(value);
    }
    return SortedMap.fromKeysAndValues(keys, values);
  }

  static by<K extends SortKey, V>(values: Iterable<V>, keyOf: (value: V) => K): SortedMap<K, V> {
    const list = [...values];
    return SortedMap.fromKeysAndValues(list.map(keyOf), list);
  }

  /** Built whole, several times quicker than key by key. */
  static fromKeysAndValues<K extends SortKey, V>(keys: K[], values: V[]): SortedMap<K, V> {
    if (keys.length === 0) return SortedMap.empty();
    if (isAscending(keys)) return new SortedMap(bulkLoad(keys, values, nodeSize, compare));
    const order = keys.map((_, index) => index).sort((a, b) => compare(key(keys, a), key(keys, b)) || a - b);
    const last = order.filter((index, place) => {
      const next = order[place + 1];
      return next === undefined || keys[next] !== keys[index];
    });
    const ordered = last.map((index) => key(keys, index));
    // The order has the indices of `values` and no others.
    return new SortedMap(
      bulkLoad(
        ordered,
        last.map((index) => values[index] as V),
        nodeSize,
        compare,
      ),
    );
  }

  get size(): number {
    return this.#tree.size;
  }

  get(key: K): V | undefined {
    return this.#tree.get(key);
  }

  has(key: K): boolean {
    return this.#tree.has(key);
  }

  with(key: K, value: V): SortedMap<K, V> {
    const tree = this.#tree.clone();
    tree.set(key, value);
    return new SortedMap(tree);
  }

  without(key: K): SortedMap<K, V> {
    if (!this.#tree.has(key)) return this;
    const tree = this.#tree.clone();
    tree.delete(key);
    return new SortedMap(tree);
  }

  /** Many changes at once, for the price of those changes. The draft must not outlive the call. */
  edit(change: (draft: MapDraft<K, V>) => void): SortedMap<K, V> {
    const tree = this.#tree.clone();
    change(tree);
    return new SortedMap(tree);
  }

  /**
   * Every key whose value is not the same as in `before`, in any order; undefined where there is none. When one map came
   * from the other this costs the difference, whatever their size. Values must not be undefined.
   */
  changesSince(
    before: SortedMap<K, V>,
    visit: (key: K, now: V | undefined, then: V | undefined) => void,
  ): void {
    if (before === this) return;
    if (before.size === 0) {
      this.#tree.forEachPair((key, now) => visit(key, now, undefined));
      return;
    }
    diffAgainst(
      this.#tree,
      before.#tree,
      (key, now) => visit(key, now, undefined),
      (key, then) => visit(key, undefined, then),
      (key, now, then) => visit(key, now, then),
    );
  }

  firstKey(): K | undefined {
    return this.#tree.minKey();
  }

  lastKey(): K | undefined {
    return this.#tree.maxKey();
  }

  /** The nearest key above; the first of all without an argument. */
  keyAfter(key: K | undefined): K | undefined {
    return this.#tree.nextHigherKey(key);
  }

  /** The nearest key below; the last of all without an argument. */
  keyBefore(key: K | undefined): K | undefined {
    return this.#tree.nextLowerKey(key);
  }

  keys(from?: K): IterableIterator<K> {
    return this.#tree.keys(from);
  }

  values(from?: K): IterableIterator<V> {
    return this.#tree.values(from);
  }

  entries(from?: K): IterableIterator<[K, V]> {
    return this.#tree.entries(from);
  }

  /** Downwards from `from`, itself included when it is there; from the end without an argument. */
  entriesReversed(from?: K): IterableIterator<[K, V]> {
    return this.#tree.entriesReversed(from);
  }

  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.#tree.entries();
  }

  toJSON(): [K, V][] {
    return this.#tree.toArray();
  }
}

export interface MapDraft<K, V> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  set(key: K, value: V): unknown;
  delete(key: K): boolean;
}

/** A set in order that never changes; see `SortedMap`. */
export class SortedSet<K extends SortKey> implements Iterable<K> {
  readonly #map: SortedMap<K, undefined>;

  private constructor(map: SortedMap<K, undefined>) {
    this.#map = map;
  }

  static readonly #empty = new SortedSet<never>(SortedMap.empty());

  static empty<K extends SortKey>(): SortedSet<K> {
    return SortedSet.#empty as unknown as SortedSet<K>; // An empty set holds nothing of any type.
  }

  static from<K extends SortKey>(keys: Iterable<K>): SortedSet<K> {
    const list = [...keys];
    if (list.length === 0) return SortedSet.empty();
    return new SortedSet(
      SortedMap.fromKeysAndValues<K, undefined>(list, new Array(list.length).fill(undefined)),
    );
  }

  get size(): number {
    return this.#map.size;
  }

  has(key: K): boolean {
    return this.#map.has(key);
  }

  with(key: K): SortedSet<K> {
    return this.#map.has(key) ? this : new SortedSet(this.#map.with(key, undefined));
  }

  without(key: K): SortedSet<K> {
    return this.#map.has(key) ? new SortedSet(this.#map.without(key)) : this;
  }

  withAll(keys: Iterable<K>): SortedSet<K> {
    return new SortedSet(
      this.#map.edit((draft) => {
        for (const key of keys) draft.set(key, undefined);
      }),
    );
  }

  withoutAll(keys: Iterable<K>): SortedSet<K> {
    return new SortedSet(
      this.#map.edit((draft) => {
        for (const key of keys) draft.delete(key);
      }),
    );
  }

  first(): K | undefined {
    return this.#map.firstKey();
  }

  last(): K | undefined {
    return this.#map.lastKey();
  }

  /** The nearest one above; the first of all without an argument. */
  after(key: K | undefined): K | undefined {
    return this.#map.keyAfter(key);
  }

  /** The nearest one below; the last of all without an argument. */
  before(key: K | undefined): K | undefined {
    return this.#map.keyBefore(key);
  }

  /** Upwards from `from`, itself included when it is there. */
  from(from: K): IterableIterator<K> {
    return this.#map.keys(from);
  }

  /** Downwards from `from`, itself included when it is there; from the end without an argument. */
  *reversed(from?: K): IterableIterator<K> {
    for (const [key] of this.#map.entriesReversed(from)) yield key;
  }

  [Symbol.iterator](): IterableIterator<K> {
    return this.#map.keys();
  }

  toArray(): K[] {
    return [...this.#map.keys()];
  }

  toJSON(): K[] {
    return this.toArray();
  }
}
