/** A binary heap with the smallest item by `compare` on top. */
export class Heap<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #items: T[] = [];

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Iterates over the items in no particular order. */
  [Symbol.iterator](): IterableIterator<T> {
    return this.#items.values();
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    this.#items.push(item);
    this.#rise(this.#items.length - 1, item);
  }

  pop(): T | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) this.#sink(last);
    return top;
  }

  /** Restores the order after the top item's rank has changed. */
  updateTop(): void {
    const top = this.#items[0];
    if (top !== undefined) this.#sink(top);
  }

  #rise(from: number, item: T): void {
    let at = from;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = this.#items[up];
      if (parent === undefined || this.#compare(item, parent) >= 0) break;
      this.#items[at] = parent;
      at = up;
    }
    this.#items[at] = item;
  }

  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      const left = items[2 * at + 1];
      if (left === undefined) break;
      const right = items[2 * at + 2];
      const rightIsLess = right !== undefined && this.#compare(right, left) < 0;
      const child = rightIsLess ? right : left;
      if (this.#compare(item, child) <= 0) break;
      items[at] = child;
      at = 2 * at + (rightIsLess ? 2 : 1);
    }
    items[at] = item;
  }
}
