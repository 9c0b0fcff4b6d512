import {ImportError} from './import-error.ts';
import {byte, JsonCursor} from './json-cursor.ts';
import {isRecord, Row} from './row.ts';

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
    try {
      this.#findTables(cursor);
    } finally {
      cursor.close();
    }
  }

  get names(): Iterable<string> {
    return this.#offsets.keys();
  }

  *rows(table: string): Generator<Row> {
    const offset = this.#offsets.get(table);
    if (offset === undefined) return;
    const cursor = new JsonCursor(this.#path, this.#file, offset);
    try {
      let row = 1;
      for (const value of cursor.list()) {
        const place = {file: this.#file, table, row: row++};
        if (!isRecord(value)) throw new ImportError('the row is not an object.', place);
        yield new Row(place, value);
      }
    } finally {
      cursor.close();
    }
  }

  /** Returns the number of rows of a table. */
  count(table: string): number {
    const offset = this.#offsets.get(table);
    if (offset === undefined) return 0;
    const cursor = new JsonCursor(this.#path, this.#file, offset);
    try {
      return cursor.skipList();
    } finally {
      cursor.close();
    }
  }

  #findTables(cursor: JsonCursor): void {
    if (cursor.peek() === byte.openList) {
      this.#offsets.set('', cursor.offset);
      cursor.skipValue();
    } else {
      for (const key of cursor.keys()) {
        if (this.#offsets.has(key)) throw new ImportError(`the table “${key}” is there twice.`, {file: this.#file});
        if (cursor.peek() === byte.openList) this.#offsets.set(key, cursor.offset);
        cursor.skipValue();
      }
    }
    if (cursor.peek() !== -1) cursor.fail('something follows the end of the data.');
  }
}
