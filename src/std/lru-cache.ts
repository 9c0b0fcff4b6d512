/**
 * A map that evicts the least recently used entries when the sum of their sizes exceeds `capacity`. Sizes are estimated
 * bytes where `sizeOf` is given; without it each entry counts as 1. The newest entry always stays, even if it is larger.
 */
export class LruCache<K, V> {
  readonly #capacity: number;
  readonly #sizeOf: (value: V, key: K) => number;
  readonly #entries = new Map<K, {readonly value: V; readonly size: number}>();
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
    this.#entries.delete(key);
    this.#entries.set(key, entry);
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
    this.#entries.set(key, {value, size});
    this.#total += size;
    if (this.#total <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      if (oldest === key) return;
      this.delete(oldest);
      if (this.#total <= this.#capacity) return;
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
