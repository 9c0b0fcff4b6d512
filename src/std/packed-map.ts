import {deepEqual} from './deep-equal.ts';
import {PackedRecords, type RecordFormat, type SavedRecords} from './packed-records.ts';
import {type MapDraft, SortedMap} from './sorted-map.ts';

/**
 * An immutable map in the order of its numeric keys, for thousands of values of which few are read: packed records, and the
 * changes since they were packed. `get` returns the same object for the values that were read last, and otherwise an equal
 * one.
 */
export class PackedMap<V extends object, L extends string> implements Iterable<[number, V]> {
  readonly size: number;
  readonly #records: PackedRecords<V, L>;
  /** Null: removed. */
  readonly #changes: SortedMap<number, V | null>;

  private constructor(records: PackedRecords<V, L>, changes: SortedMap<number, V | null>, size: number) {
    this.#records = records;
    this.#changes = changes;
    this.size = size;
  }

  /**
   * Creates a map of the values of items; of equal keys the last one wins. Returns `known` if it has the same values, so
   * that an unchanged map keeps its identity.
   */
  static by<T, V extends object, L extends string>(
    format: RecordFormat<V, L>,
    items: readonly T[],
    keyOf: (item: T) => number,
    toValue: (item: T) => V,
    known?: PackedMap<V, L>,
  ): PackedMap<V, L> {
    const sorted = items.toSorted((a, b) => keyOf(a) - keyOf(b));
    const last = sorted.filter((item, at) => {
      const next = sorted[at + 1];
      return next === undefined || keyOf(next) !== keyOf(item);
    });
    const knownRecords = known === undefined ? undefined : known.#records;
    const records = PackedRecords.from(format, Float64Array.from(last, keyOf), last, toValue, knownRecords);
    if (known !== undefined && records === knownRecords && known.#changes.size === 0) return known;
    return new PackedMap(records, SortedMap.empty(), last.length);
  }

  /** Returns the map whose bytes `toBytes` returned, given as text; undefined when the text is another. */
  static fromText<V extends object, L extends string>(
    format: RecordFormat<V, L>,
    text: string,
  ): PackedMap<V, L> | undefined {
    const headerEnd = text.indexOf('\n');
    try {
      const {columns, changes}: Header = JSON.parse(text.slice(0, Math.max(0, headerEnd)));
      const records = PackedRecords.fromSaved(format, {columns, bytes: Buffer.from(text.slice(headerEnd + 1))});
      if (records === undefined) return undefined;
      const packed = new PackedMap(records, SortedMap.empty<number, V | null>(), records.keys.length);
      if (changes.length === 0) return packed;
      return packed.edit((draft) => {
        for (const [key, json] of changes) {
          if (json === null) draft.delete(key);
          else draft.set(key, format.unpack(key, json));
        }
      });
    } catch {
      return undefined;
    }
  }

  /** Returns UTF-8 text to be saved: a line with columns and changes, then the records. Copies, and encodes no record. */
  toBytes(): Uint8Array {
    const {format} = this.#records;
    const {columns, bytes} = this.#records.toSaved();
    const changes = [...this.#changes].map(([key, value]) => [key, value === null ? null : format.pack(value)]);
    return Buffer.concat([Buffer.from(`${JSON.stringify({columns, changes})}\n`), bytes]);
  }

  get(key: number): V | undefined {
    return valueIn(this.#records, this.#changes, key);
  }

  has(key: number): boolean {
    const changed = this.#changes.get(key);
    return changed === undefined ? this.#records.positionOf(key) >= 0 : changed !== null;
  }

  with(key: number, value: V): PackedMap<V, L> {
    return this.edit((draft) => draft.set(key, value));
  }

  without(key: number): PackedMap<V, L> {
    return this.has(key) ? this.edit((draft) => draft.delete(key)) : this;
  }

  /** Applies many changes at once. The draft must not be used after the call. */
  edit(change: (draft: MapDraft<number, V>) => void): PackedMap<V, L> {
    const records = this.#records;
    let {size} = this;
    const changes = this.#changes.edit((draft) => {
      const get = (key: number) => valueIn(records, draft, key);
      const has = (key: number) => get(key) !== undefined;
      change({
        get,
        has,
        set(key, value) {
          if (!has(key)) size += 1;
          draft.set(key, value);
        },
        delete(key) {
          if (!has(key)) return false;
          size -= 1;
          if (records.positionOf(key) < 0) draft.delete(key);
          else draft.set(key, null);
          return true;
        },
      });
    });
    return new PackedMap(records, changes, size);
  }

  /** Visits every key whose value differs from the one in `before`, in any order; a missing value is undefined. */
  changesSince(
    before: PackedMap<V, L>,
    visit: (key: number, current: V | undefined, previous: V | undefined) => void,
  ): void {
    if (before === this) return;
    if (this.#records.equals(before.#records)) {
      this.#changes.changesSince(before.#changes, (key) => {
        const [current, previous] = [this.get(key), before.get(key)];
        if (!deepEqual(current, previous)) visit(key, current, previous);
      });
      return;
    }
    const [current, previous] = [this.#reader(), before.#reader()];
    for (const [key, stored] of this.#stored()) {
      const then = before.size === 0 ? undefined : before.#storedAt(key);
      if (then === undefined) visit(key, current(stored), undefined);
      else if (typeof stored === 'number' && stored === then && this.#records.isSameAt(stored, before.#records))
        continue;
      else if (!deepEqual(current(stored), previous(then))) visit(key, current(stored), previous(then));
    }
    for (const [key, stored] of before.#stored()) {
      if (!this.has(key)) visit(key, undefined, previous(stored));
    }
  }

  /** Yields the values that have this text as a label. Reads no others. */
  *labelled(label: L, text: string): Generator<V> {
    const labelOf = this.#records.format.labels[label];
    for (const position of this.#records.candidates(label, text)) {
      if (this.#changes.has(Number(this.#records.keys[position]))) continue;
      const value = this.#records.at(position);
      if (labelOf(value) === text) yield value;
    }
    for (const value of this.#changes.values()) if (value !== null && labelOf(value) === text) yield value;
  }

  *keys(): IterableIterator<number> {
    for (const [key] of this.#stored()) yield key;
  }

  *values(): IterableIterator<V> {
    const read = this.#reader();
    for (const [, stored] of this.#stored()) yield read(stored);
  }

  *[Symbol.iterator](): IterableIterator<[number, V]> {
    const read = this.#reader();
    for (const [key, stored] of this.#stored()) yield [key, read(stored)];
  }

  toJSON(): [number, V][] {
    return [...this];
  }

  /** Yields all keys in order with the position of the record, or the changed value. */
  *#stored(): Generator<readonly [number, number | V]> {
    const {keys} = this.#records;
    const changes = this.#changes.entries();
    let next = changes.next();
    for (let position = 0; position <= keys.length; position++) {
      const key = keys[position] ?? Number.POSITIVE_INFINITY;
      let isChanged = false;
      while (next.done !== true && next.value[0] <= key) {
        const [changedKey, value] = next.value;
        isChanged ||= changedKey === key;
        if (value !== null) yield [changedKey, value];
        next = changes.next();
      }
      if (!isChanged && position < keys.length) yield [key, position];
    }
  }

  #storedAt(key: number): number | V | undefined {
    const changed = this.#changes.get(key);
    if (changed !== undefined) return changed ?? undefined;
    const position = this.#records.positionOf(key);
    return position < 0 ? undefined : position;
  }

  /** Returns a function that reads what `#stored` yields. */
  #reader(): (stored: number | V) => V {
    const read = this.#records.reader();
    return (stored) => (typeof stored === 'number' ? read(stored) : stored);
  }
}

function valueIn<V extends object, L extends string>(
  records: PackedRecords<V, L>,
  changes: Pick<MapDraft<number, V | null>, 'get'>,
  key: number,
): V | undefined {
  const changed = changes.get(key);
  if (changed !== undefined) return changed ?? undefined;
  const position = records.positionOf(key);
  return position < 0 ? undefined : records.at(position);
}

/** The first line of a saved map. */
interface Header extends Pick<SavedRecords, 'columns'> {
  readonly changes: readonly (readonly [number, unknown])[];
}
