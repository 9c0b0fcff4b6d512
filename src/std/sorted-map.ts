import sortedBtree from 'sorted-btree';
import treeBulk from 'sorted-btree/extended/bulkLoad.js';
import treeDifference from 'sorted-btree/extended/diffAgainst.js';

type TreeClass = typeof sortedBtree.default;
type Tree<K, V> = sortedBtree.default<K, V>;
// The package is CommonJS: Node wraps its default export once more, some loaders unwrap it.
const BTree = sortedBtree.default ?? (sortedBtree as unknown as TreeClass);
const {bulkLoad} = treeBulk;
const diffAgainst = treeDifference.default ?? (treeDifference as unknown as typeof treeDifference.default);

type SortKey = number | string;

function compare(a: SortKey, b: SortKey): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Twice the default: one level less for a hundred thousand entries, and copying a node is still cheap. */
const nodeSize = 64;

function isAscending(keys: readonly SortKey[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if (compare(key(keys, index - 1), key(keys, index)) >= 0) return false;
  }
  return true;
}

function key<K extends SortKey>(keys: readonly K[], index: number): K {
  return keys[index] as K; // The index is never beyond the end.
}

/**
 * An immutable map in key order. `with` and `without` return another map that shares all but a few nodes with this one, so a
 * change takes logarithmic time.
 */
export class SortedMap<K extends SortKey, V> implements Iterable<[K, V]> {
  readonly #tree: Tree<K, V>;

  private constructor(tree: Tree<K, V>) {
    this.#tree = tree;
  }

  static readonly #empty = new SortedMap<never, never>(new BTree<never, never>(undefined, compare, nodeSize));

  static empty<K extends SortKey, V>(): SortedMap<K, V> {
    return SortedMap.#empty as unknown as SortedMap<K, V>; // An empty map fits any type.
  }

  /** Creates a map; of equal keys the last one wins. */
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

  /** Builds the tree in bulk, several times faster than key by key. */
  static fromKeysAndValues<K extends SortKey, V>(keys: K[], values: V[]): SortedMap<K, V> {
    if (keys.length === 0) return SortedMap.empty();
    if (isAscending(keys)) return new SortedMap(bulkLoad(keys, values, nodeSize, compare));
    const order = keys.map((_, index) => index).sort((a, b) => compare(key(keys, a), key(keys, b)) || a - b);
    const last = order.filter((index, place) => {
      const next = order[place + 1];
      return next === undefined || keys[next] !== keys[index];
    });
    const ordered = last.map((index) => key(keys, index));
    // `order` contains only indices of `values`.
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

  /** Applies many changes at once. The draft must not be used after the call. */
  edit(change: (draft: MapDraft<K, V>) => void): SortedMap<K, V> {
    const tree = this.#tree.clone();
    change(tree);
    return new SortedMap(tree);
  }

  /**
   * Visits every key whose value differs from the one in `before`, in any order; a missing value is undefined. When one map
   * was derived from the other this takes time in the number of differences. Values must not be undefined.
   */
  changesSince(
    before: SortedMap<K, V>,
    visit: (key: K, current: V | undefined, previous: V | undefined) => void,
  ): void {
    if (before === this) return;
    if (before.size === 0) {
      this.#tree.forEachPair((key, current) => visit(key, current, undefined));
      return;
    }
    diffAgainst(
      this.#tree,
      before.#tree,
      (key, current) => visit(key, current, undefined),
      (key, previous) => visit(key, undefined, previous),
      (key, current, previous) => visit(key, current, previous),
    );
  }

  firstKey(): K | undefined {
    return this.#tree.minKey();
  }

  lastKey(): K | undefined {
    return this.#tree.maxKey();
  }

  /** Returns the next higher key; the first key for undefined. */
  keyAfter(key: K | undefined): K | undefined {
    return this.#tree.nextHigherKey(key);
  }

  /** Returns the next lower key; the last key for undefined. */
  keyBefore(key: K | undefined): K | undefined {
    return this.#tree.nextLowerKey(key);
  }

  keys(from?: K): IterableIterator<K> {
    return this.#tree.keys(from);
  }

  /** Returns all keys, several times faster than by iteration. */
  keysArray(): K[] {
    return this.#tree.keysArray();
  }

  values(from?: K): IterableIterator<V> {
    return this.#tree.values(from);
  }

  entries(from?: K): IterableIterator<[K, V]> {
    return this.#tree.entries(from);
  }

  /** Iterates downwards from `from` (inclusive), or from the end. */
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

/** An immutable sorted set; see `SortedMap`. */
export class SortedSet<K extends SortKey> implements Iterable<K> {
  /** A list until the set is first used: many sets of a restored state never are. */
  #content: SortedMap<K, undefined> | K[];

  private constructor(content: SortedMap<K, undefined> | K[]) {
    this.#content = content;
  }

  get #map(): SortedMap<K, undefined> {
    if (Array.isArray(this.#content)) {
      const values: undefined[] = new Array(this.#content.length).fill(undefined);
      this.#content = SortedMap.fromKeysAndValues(this.#content, values);
    }
    return this.#content;
  }

  static readonly #empty = new SortedSet<never>(SortedMap.empty());

  static empty<K extends SortKey>(): SortedSet<K> {
    return SortedSet.#empty as unknown as SortedSet<K>; // An empty set fits any type.
  }

  static from<K extends SortKey>(keys: Iterable<K>): SortedSet<K> {
    const list = [...keys];
    return list.length === 0 ? SortedSet.empty() : new SortedSet(list);
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

  /** Returns the same set when it has all keys. */
  withAll(keys: Iterable<K>): SortedSet<K> {
    return this.#edited(keys, false, (draft, key) => draft.set(key, undefined));
  }

  /** Returns the same set when it has none of the keys. */
  withoutAll(keys: Iterable<K>): SortedSet<K> {
    return this.#edited(keys, true, (draft, key) => draft.delete(key));
  }

  #edited(keys: Iterable<K>, isInSet: boolean, change: (draft: MapDraft<K, undefined>, key: K) => void): SortedSet<K> {
    const changed = [...keys].filter((key) => this.has(key) === isInSet);
    if (changed.length === 0) return this;
    return new SortedSet(
      this.#map.edit((draft) => {
        for (const key of changed) change(draft, key);
      }),
    );
  }

  first(): K | undefined {
    return this.#map.firstKey();
  }

  last(): K | undefined {
    return this.#map.lastKey();
  }

  /** Returns the next higher element; the first one for undefined. */
  after(key: K | undefined): K | undefined {
    return this.#map.keyAfter(key);
  }

  /** Returns the next lower element; the last one for undefined. */
  before(key: K | undefined): K | undefined {
    return this.#map.keyBefore(key);
  }

  /** Iterates upwards from `from` (inclusive). */
  from(from: K): IterableIterator<K> {
    return this.#map.keys(from);
  }

  /** Iterates downwards from `from` (inclusive), or from the end. */
  *reversed(from?: K): IterableIterator<K> {
    for (const [key] of this.#map.entriesReversed(from)) yield key;
  }

  [Symbol.iterator](): IterableIterator<K> {
    return this.#map.keys();
  }

  toArray(): K[] {
    return this.#map.keysArray();
  }

  toJSON(): K[] {
    return this.toArray();
  }
}
