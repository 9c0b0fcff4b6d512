import {isUtf8} from 'node:buffer';
import {closeSync, openSync, readSync} from 'node:fs';
import {originalTable} from '#server/transfer/references.ts';
import {isRecord, parseJson} from '#std/parse-json.ts';
import {ImportError, type Place, Row} from './import-context.ts';

/**
 * The tables of a JSON file: the lists in one object or, under the name '', one list. The file may be larger than the
 * memory: opening it finds where the tables begin, and `rows` reads one row at a time.
 */
export class JsonTables {
  readonly #path: string;
  readonly #file: string;
  readonly #offsets = new Map<string, number>();

  /** `file` is the name for messages. */
  constructor(path: string, file: string) {
    this.#path = path;
    this.#file = file;
    const cursor = new JsonCursor(path, file, 0);
    if (cursor.peek() === byte.openList) {
      this.#offsets.set('', cursor.offset);
      cursor.skipValue();
    } else {
      for (const key of cursor.keys()) {
        if (this.#offsets.has(key)) throw new ImportError(`the table “${key}” is there twice.`, {file});
        if (cursor.peek() === byte.openList) this.#offsets.set(key, cursor.offset);
        cursor.skipValue();
      }
    }
    if (cursor.peek() !== -1) cursor.fail('something follows the end of the data.');
  }

  get names(): Iterable<string> {
    return this.#offsets.keys();
  }

  /**
   * Yields the rows of a table by id. Beside a table in which ids in texts are those of another server, an export of this
   * program has the columns as they were (`originalTable`), and the rows that only it can import.
   */
  *rows(table: string): Generator<Row> {
    const originals = this.#values(originalTable(table));
    let original = originals.next().value;
    for (const {place, values} of this.#values(table)) {
      for (; original && Number(original.values.id) < Number(values.id); original = originals.next().value)
        yield new Row(original.place, original.values);
      const isChanged = original?.values.id === values.id;
      yield new Row(place, isChanged ? {...values, ...original?.values} : values);
      if (isChanged) original = originals.next().value;
    }
    for (; original; original = originals.next().value) yield new Row(original.place, original.values);
  }

  *#values(table: string): Generator<{place: Place; values: Record<string, unknown>}, undefined> {
    const offset = this.#offsets.get(table);
    if (offset === undefined) return undefined;
    const list = new JsonCursor(this.#path, this.#file, offset).list();
    let row = 1;
    for (const values of list) {
      const place = {file: this.#file, table, row: row++};
      if (!isRecord(values)) throw new ImportError('the row is not an object.', place);
      yield {place, values};
    }
    return undefined;
  }

  /** Returns the number of rows of a table. */
  count(table: string): number {
    const offset = this.#offsets.get(table);
    return offset === undefined ? 0 : new JsonCursor(this.#path, this.#file, offset).skipList();
  }
}

const chunkLength = 256 * 1024;
const batchLength = 32 * 1024;
/** No row of a real export is near this size. */
const maxRowLength = 64 * 1024 * 1024;

/** The bytes that the structure of JSON consists of. */
const byte = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** The bytes that may follow a number, `true`, `false` or `null`: white space, a comma and closing brackets. */
const endsScalar: ReadonlySet<number> = new Set([
  0x20,
  0x09,
  0x0a,
  0x0d,
  byte.comma,
  byte.colon,
  byte.closeList,
  byte.closeObject,
]);
/** The last bytes of texts, lists and objects. */
const endsValue: ReadonlySet<number> = new Set([byte.quote, byte.closeList, byte.closeObject]);

function isPlainInText(next: number | undefined): boolean {
  return next !== byte.quote && next !== byte.backslash;
}

/** All brackets have these bits. The few other bytes that have them are passed one by one. */
function isPlain(next: number | undefined): boolean {
  return next !== byte.quote && ((next ?? 0) & 0x59) !== 0x59;
}

/** Reads JSON values from a file one after the other, with one value in memory. */
class JsonCursor {
  readonly #path: string;
  readonly #file: string;
  #buffer = Buffer.allocUnsafe(chunkLength);
  /** The position in the file of the buffer's first byte. */
  #base: number;
  #at = 0;
  #end = 0;
  /** Where the value begins whose bytes are needed; undefined while values are skipped. */
  #valueStart: number | undefined;

  constructor(path: string, file: string, offset: number) {
    this.#path = path;
    this.#file = file;
    this.#base = offset;
  }

  fail(problem: string): never {
    throw new ImportError(`${problem.replace(/\.$/, '')} (near byte ${this.offset}).`, {file: this.#file});
  }

  get offset(): number {
    return this.#base + this.#at;
  }

  /** Returns the next byte that is not white space, without passing it; -1 at the end. */
  peek(): number {
    for (;;) {
      if (this.#at >= this.#end && !this.#readMore()) return -1;
      const next = this.#buffer[this.#at] ?? -1;
      if (next !== 0x20 && next !== 0x0a && next !== 0x0d && next !== 0x09) return next;
      this.#at++;
    }
  }

  /** Yields the keys of an object. The caller passes the value of each key before it asks for the next. */
  *keys(): Generator<string> {
    this.#expect(byte.openObject);
    if (this.#passes(byte.closeObject)) return;
    do {
      if (this.peek() !== byte.quote) this.fail('a name in quotes is expected');
      const key = this.readValue();
      this.#expect(byte.colon);
      yield String(key);
    } while (this.#passes(byte.comma));
    this.#expect(byte.closeObject);
  }

  /** Yields the elements of a list. Parsing several at once takes half the time. */
  *list(): Generator<unknown> {
    this.#expect(byte.openList);
    if (this.#passes(byte.closeList)) return;
    for (let more = true; more; ) {
      this.#valueStart = this.#at;
      do {
        this.skipValue();
        more = this.#passes(byte.comma);
      } while (more && this.#at - this.#valueStart < batchLength);
      const values = this.#parse(`[${this.#heldText(more ? this.#at - 1 : this.#at)}]`);
      if (Array.isArray(values)) yield* values;
    }
    this.#expect(byte.closeList);
  }

  /** Passes a list and returns its length. */
  skipList(): number {
    this.#expect(byte.openList);
    if (this.#passes(byte.closeList)) return 0;
    let length = 0;
    do {
      this.skipValue();
      length++;
    } while (this.#passes(byte.comma));
    this.#expect(byte.closeList);
    return length;
  }

  readValue(): unknown {
    this.peek();
    this.#valueStart = this.#at;
    this.skipValue();
    return this.#parse(this.#heldText(this.#at));
  }

  #heldText(end: number): string {
    const bytes = this.#buffer.subarray(this.#valueStart, end);
    this.#valueStart = undefined;
    if (!isUtf8(bytes)) this.fail('the text is not UTF-8');
    return bytes.toString();
  }

  #parse(text: string): unknown {
    try {
      return parseJson(text);
    } catch {
      return this.fail('this is not JSON');
    }
  }

  skipValue(): void {
    if (this.peek() === -1) this.fail('the file ends early');
    let depth = 0;
    let isText = false;
    // In local variables and with inner loops, because this sees every byte.
    let [buffer, at, end] = [this.#buffer, this.#at, this.#end];
    for (;;) {
      if (isText) while (at < end && isPlainInText(buffer[at])) at++;
      else if (depth > 0) while (at < end && isPlain(buffer[at])) at++;
      if (at >= end) {
        this.#at = at;
        if (!this.#readMore() && depth === 0 && !isText) return;
        if (this.#at >= this.#end) this.fail('the file ends in the middle of a value');
        buffer = this.#buffer;
        at = this.#at;
        end = this.#end;
        continue;
      }
      const next = buffer[at] ?? -1;
      if (!isText && depth === 0 && endsScalar.has(next)) break;
      at += isText && next === byte.backslash ? 2 : 1;
      if (next === byte.quote) isText = !isText;
      else if (!isText && (next === byte.openObject || next === byte.openList)) depth++;
      else if (!isText && (next === byte.closeObject || next === byte.closeList)) depth--;
      if (!isText && depth === 0 && endsValue.has(next)) break;
    }
    this.#at = at;
  }

  #passes(wanted: number): boolean {
    if (this.peek() !== wanted) return false;
    this.#at++;
    return true;
  }

  #expect(wanted: number): void {
    if (this.#passes(wanted)) return;
    if (this.peek() === -1) this.fail('the file ends early');
    this.fail(`“${String.fromCharCode(wanted)}” is expected`);
  }

  /** Reads the next bytes. Those of the current value stay in the buffer, which grows if necessary. */
  #readMore(): boolean {
    const kept = this.#valueStart ?? Math.min(this.#at, this.#end);
    this.#buffer.copyWithin(0, kept, this.#end);
    this.#base += kept;
    this.#at -= kept;
    this.#end -= kept;
    if (this.#valueStart !== undefined) this.#valueStart = 0;
    if (this.#end > this.#buffer.length / 2) this.#grow();
    // Open for one read only: whoever stops in the middle of a table has nothing to close.
    const descriptor = openSync(this.#path, 'r');
    try {
      const position = this.#base + this.#end;
      this.#end += readSync(descriptor, this.#buffer, this.#end, this.#buffer.length - this.#end, position);
    } finally {
      closeSync(descriptor);
    }
    return this.#at < this.#end;
  }

  #grow(): void {
    if (this.#buffer.length >= maxRowLength) this.fail('a row is larger than 32 MiB');
    const larger = Buffer.allocUnsafe(this.#buffer.length * 2);
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}
