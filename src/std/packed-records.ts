import {LruCache} from './lru-cache.ts';

/** How values are stored as JSON text, and the texts by which they are found. */
export interface RecordFormat<V, L extends string> {
  /** Returns a value for JSON that contains everything but the key. */
  pack(value: V): unknown;
  unpack(key: number, json: unknown): V;
  /** Undefined: the value has no such text. */
  readonly labels: Readonly<Record<L, (value: V) => string | undefined>>;
}

/** The columns and the JSON text, to be saved. */
export interface SavedRecords {
  /** Typed arrays in base64. */
  readonly columns: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** Values are packed by so many: packing and unpacking them together is faster, and one lookup unpacks all of them. */
const pageSize = 16;
/** The bytes of most values. */
const estimatedSize = 160;
const maxUtf8Size = 3;
/** As many pages stay unpacked: more than a screen shows. */
const maxUnpackedPages = 64;

/**
 * Values as JSON text in one block of bytes, in the order of their keys. They are unpacked when they are read, so thousands
 * that nobody reads cost neither time nor objects. Each label has a column of hashes, so a search unpacks only matches.
 */
export class PackedRecords<V extends object, L extends string> {
  readonly format: RecordFormat<V, L>;
  readonly keys: Float64Array;
  /** The end of each page in the bytes. */
  readonly #ends: Uint32Array;
  readonly #hashes: ReadonlyMap<L, Uint32Array>;
  readonly #bytes: Buffer;
  readonly #unpacked = new LruCache<number, readonly V[]>(maxUnpackedPages);

  private constructor(
    format: RecordFormat<V, L>,
    keys: Float64Array,
    ends: Uint32Array,
    hashes: ReadonlyMap<L, Uint32Array>,
    bytes: Buffer,
  ) {
    this.format = format;
    this.keys = keys;
    this.#ends = ends;
    this.#hashes = hashes;
    this.#bytes = bytes;
  }

  /** Packs the values of items, which are made page by page; `keys` are ascending. Returns `known` if it is the same. */
  static from<T, V extends object, L extends string>(
    format: RecordFormat<V, L>,
    keys: Float64Array,
    items: readonly T[],
    toValue: (item: T) => V,
    known?: PackedRecords<V, L>,
  ): PackedRecords<V, L> {
    const ends = new Uint32Array(Math.ceil(items.length / pageSize));
    let buffer = Buffer.allocUnsafe(estimatedSize * items.length);
    let end = 0;
    for (let page = 0; page < ends.length; page++) {
      const values = items.slice(page * pageSize, (page + 1) * pageSize);
      const text = JSON.stringify(values.map((item) => format.pack(toValue(item))));
      const maxEnd = end + maxUtf8Size * text.length;
      if (maxEnd > buffer.length) buffer = Buffer.concat([buffer.subarray(0, end)], 2 * maxEnd);
      end += buffer.write(text, end);
      ends[page] = end;
    }
    const bytes = Buffer.from(buffer.subarray(0, end));
    if (known !== undefined && sameBytes(keys, known.keys) && bytes.equals(known.#bytes)) return known;
    const hashes = labelsOf(format).map((label) => {
      const labelOf = format.labels[label];
      return [label, Uint32Array.from(items, (item) => textHash(labelOf(toValue(item))))] as const;
    });
    return new PackedRecords(format, keys, ends, new Map(hashes), bytes);
  }

  /** Returns undefined when the parts do not belong together. */
  static fromSaved<V extends object, L extends string>(
    format: RecordFormat<V, L>,
    {columns, bytes}: SavedRecords,
  ): PackedRecords<V, L> | undefined {
    const keys = new Float64Array(bufferOf(columns.keys));
    const ends = new Uint32Array(bufferOf(columns.ends));
    const hashes = new Map(labelsOf(format).map((label) => [label, new Uint32Array(bufferOf(columns[label]))]));
    const isComplete = [...hashes.values()].every(({length}) => length === keys.length);
    if (!isComplete || ends.length !== Math.ceil(keys.length / pageSize) || (ends.at(-1) ?? 0) !== bytes.length) {
      return undefined;
    }
    return new PackedRecords(format, keys, ends, hashes, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }

  toSaved(): SavedRecords {
    const columns = [['keys', this.keys], ['ends', this.#ends], ...this.#hashes] as const;
    return {
      columns: Object.fromEntries(columns.map(([name, column]) => [name, bytesOf(column).toString('base64')])),
      bytes: this.#bytes,
    };
  }

  /** Returns the position of a key; -1 if there is none. */
  positionOf(key: number): number {
    const {keys} = this;
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Number(keys[middle]) < key) low = middle + 1;
      else high = middle;
    }
    return keys[low] === key ? low : -1;
  }

  /** Returns the value; the same object while it is among the last that were read. */
  at(position: number): V {
    const page = Math.floor(position / pageSize);
    const known = this.#unpacked.get(page);
    const values = known ?? this.#unpack(page);
    if (known === undefined) this.#unpacked.set(page, values);
    return values[position % pageSize] as V; // A page is complete.
  }

  /** Returns a function for loops over many positions, whose values do not count as read. */
  reader(): (position: number) => V {
    let [last, values]: [number, readonly V[]] = [-1, []];
    return (position) => {
      const page = Math.floor(position / pageSize);
      if (page !== last) [last, values] = [page, this.#unpacked.get(page) ?? this.#unpack(page)];
      return values[position % pageSize] as V; // A page is complete.
    };
  }

  /** Yields the positions of all values with this label, and perhaps of others. */
  *candidates(label: L, text: string): Generator<number> {
    const hash = textHash(text);
    const hashes = this.#hashes.get(label) ?? new Uint32Array();
    for (let at = hashes.indexOf(hash); at >= 0; at = hashes.indexOf(hash, at + 1)) yield at;
  }

  /** Whether both have the same bytes for all values. */
  equals(others: PackedRecords<V, L>): boolean {
    return this === others || (sameBytes(this.keys, others.keys) && this.#bytes.equals(others.#bytes));
  }

  /** Returns whether both certainly have the same value at this position, without unpacking it. */
  isSameAt(position: number, others: PackedRecords<V, L>): boolean {
    const page = Math.floor(position / pageSize);
    return this.keys[position] === others.keys[position] && this.#page(page).equals(others.#page(page));
  }

  #page(page: number): Buffer {
    return this.#bytes.subarray(this.#ends[page - 1] ?? 0, this.#ends[page]);
  }

  #unpack(page: number): readonly V[] {
    const json = this.#bytes.toString('utf8', this.#ends[page - 1] ?? 0, this.#ends[page]);
    const packed: readonly unknown[] = JSON.parse(json);
    const start = page * pageSize;
    return packed.map((each, at) => this.format.unpack(Number(this.keys[start + at]), each));
  }
}

function labelsOf<L extends string>({labels}: {readonly labels: Readonly<Record<L, unknown>>}): readonly L[] {
  return Object.keys(labels) as L[];
}

function bytesOf({buffer, byteOffset, byteLength}: Float64Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function sameBytes(a: Float64Array, b: Float64Array): boolean {
  return bytesOf(a).equals(bytesOf(b));
}

/** Returns the bytes in a buffer of their own, where typed arrays may begin. */
function bufferOf(base64 = ''): ArrayBuffer {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
}

/** FNV-1a. Saved with the records, so it must not change without the version of the saved format. */
function textHash(text: string | undefined): number {
  if (text === undefined) return 0;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
