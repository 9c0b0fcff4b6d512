import type {Database} from '#server/db/database.ts';
import type {FileStore} from '#server/uploads/file-store.ts';
import type {ExportSource} from './export-source.ts';
import type {ImportReport} from './import-report.ts';
import type {JsonTables} from './json-tables.ts';
import type {Row} from './row.ts';

/** What the parts of one import share. */
export interface ImportContext {
  /** The new database. A second one is attached as `work`; what grows with the messages is in its tables. */
  readonly db: Database;
  readonly files: FileStore;
  readonly source: ExportSource;
  /** The tables of realm.json. */
  readonly realm: JsonTables;
  readonly report: ImportReport;
  /** UNIX seconds. */
  readonly now: number;
  readonly users: IdMap;
  readonly groups: IdMap;
  readonly folders: IdMap;
  readonly channels: IdMap;
  readonly emoji: IdMap;
  /** The new paths of the images of custom emoji, by the names of their files. */
  readonly emojiFiles: Map<string, string>;
  /** The names of the programs that messages were sent with. */
  readonly clients: ReadonlyMap<number, string>;
}

/** The new ids of the rows of one table, by their old ids. */
export class IdMap {
  readonly #what: string;
  readonly #ids = new Map<number, number>();

  /** `what` says in messages what the rows are. */
  constructor(what: string) {
    this.#what = what;
  }

  add(row: Row, id: number): void {
    const old = row.number('id');
    if (this.#ids.has(old)) row.fail(`the id ${old} is there twice.`);
    this.#ids.set(old, id);
  }

  get(old: number | undefined): number | undefined {
    return old === undefined ? undefined : this.#ids.get(old);
  }

  /** Returns the new id of what the row refers to. */
  of(row: Row, key: string): number {
    const old = row.number(key);
    return this.#ids.get(old) ?? row.fail(`“${key}” names the ${this.#what} ${old}, which is not in the export.`);
  }

  /** Returns the new id of what the row may refer to; null if it names nothing, or something unknown. */
  optional(row: Row, key: string): number | null {
    return this.get(row.optionalNumber(key)) ?? null;
  }
}

/** Returns the name of the program that a message was sent with. */
export function clientName({clients}: ImportContext, row: Row): string {
  return clients.get(row.optionalNumber('sending_client') ?? -1) ?? '';
}

/** Yields the rows of a table of realm.json and counts them as imported. */
export function* importedRows(context: ImportContext, table: string): Generator<Row> {
  for (const row of context.realm.rows(`zerver_${table}`)) {
    yield row;
    context.report.count(table);
  }
}
