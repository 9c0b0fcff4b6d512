interface CacheEntry<V> {
  readonly value: V;
  readonly size: number;
  /** Whether it was read since it was set or spared. */
  isUsed: boolean;
}

/**
 * A map that evicts entries that were not used lately when the sum of their sizes exceeds `capacity`. Sizes are estimated bytes
 * where `sizeOf` is given; without it each entry counts as 1. The newest entry always stays, even if it is larger. The oldest entry
 * is evicted first, but spared once if it was read: reading, which is done thousands of times for a frame, moves nothing.
 */
export class LruCache<K, V> {
  readonly #capacity: number;
  readonly #sizeOf: (value: V, key: K) => number;
  readonly #entries = new Map<K, CacheEntry<V>>();
  #total = 0;

  constructor(capacity: number, sizeOf: (value: V, key: K) => number = () => 1) {
    this.#capacity = capacity;
    this.#sizeOf = sizeOf;
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** Returns the value of the key, which is computed if there is none. */
  getOrCompute(key: K, compute: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = compute();
    this.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    const size = this.#sizeOf(value, key);
    this.#entries.set(key, {value, size, isUsed: false});
    this.#total += size;
    if (this.#total > this.#capacity) this.#evict(key);
  }

  /** Evicts entries until the others fit, but not the newest one. What is spared is visited again as the last. */
  #evict(newest: K): void {
    for (const [key, entry] of this.#entries) {
      if (this.#total <= this.#capacity || this.#entries.size === 1) return;
      if (!entry.isUsed && key !== newest) this.delete(key);
      else {
        entry.isUsed = false;
        this.#entries.delete(key);
        this.#entries.set(key, entry);
      }
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#total -= entry.size;
  }

  clear(): void {
    this.#entries.clear();
    this.#total = 0;
  }
}

/** About the bytes of a small object, and of the cache's own record of an entry. */
export const objectBytes = 64;

/** Estimates the bytes of an entry that consists of two texts. */
export function textEntryBytes(value: string, key: string): number {
  return 2 * objectBytes + 2 * (key.length + value.length);
}

/**
 * Returns a copy of a text that does not share memory with another one. V8 keeps the whole text alive for a slice of it, so a
 * short text that is cached for long is copied first.
 */
export function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
