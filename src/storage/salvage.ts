import {closeSync, copyFileSync, existsSync, openSync, readSync, statSync, truncateSync, writeSync} from 'node:fs';
import {Database, type SqlValue, type StoredRow} from './database.ts';
import {isValidRow, type UserDataTable, userDataColumns} from './row-decoders.ts';

export type SalvagedRows = Readonly<Record<UserDataTable, readonly StoredRow[]>>;

const tables: readonly UserDataTable[] = ['outbox', 'draft', 'deed', 'note', 'session'];

/**
 * Returns the rows that are readable and valid. A scan ends where the damage begins, so each table is read
 * from both ends. Undefined when no table is readable.
 */
export function salvageRows(db: Database): SalvagedRows | undefined {
  let isReadable = false;
  const rowsByTable = {} as Record<UserDataTable, StoredRow[]>; // Filled for every table below.
  for (const table of tables) {
    const rows = new Map<unknown, StoredRow>();
    for (const direction of ['ASC', 'DESC']) {
      isReadable = scan(db, table, direction, rows) || isReadable;
    }
    rowsByTable[table] = [...rows.values()].filter((row) => isValidRow(table, row));
    rowsByTable[table].sort((a, b) => Number(a._rowid) - Number(b._rowid));
  }
  return isReadable ? rowsByTable : undefined;
}

/** Returns false when the table was not found. */
function scan(db: Database, table: UserDataTable, direction: string, rows: Map<unknown, StoredRow>): boolean {
  let hasRows = false;
  try {
    // NOT INDEXED, by rowid: the damage may be in an index.
    const sql = `SELECT rowid AS _rowid, * FROM ${table} NOT INDEXED ORDER BY rowid ${direction}`;
    for (const row of db.each(sql)) {
      hasRows = true;
      if (!rows.has(row._rowid)) rows.set(row._rowid, row);
    }
    return true;
  } catch {
    return hasRows;
  }
}

/** Inserts the rows at their original positions. */
export function restoreRows(db: Database, salvaged: SalvagedRows): void {
  db.transaction('full', () => {
    for (const table of tables) {
      for (const row of salvaged[table]) insertRow(db, table, userDataColumns[table], row);
    }
  });
}

/**
 * Adds the rows of a database in memory to a file. Rows that the file has stay; of two rows with the same number, the added one
 * gets another. Throws when that is not possible now, because a request is under way whose result is recorded by this number.
 */
export function addRows(db: Database, added: SalvagedRows): void {
  db.transaction('normal', () => {
    for (const table of tables) {
      const columns = userDataColumns[table];
      for (const row of added[table]) {
        if (insertRow(db, table, columns, row) || table === 'note' || table === 'session') continue;
        if (table === 'deed' && row.owner !== null) throw new Error('A change is being sent');
        insertRow(db, table, columns.slice(1), row);
      }
    }
    db.run('UPDATE tally SET changes = changes + 1');
  });
}

/** Returns false when there is a row with the same key. */
function insertRow(db: Database, table: UserDataTable, columns: readonly string[], row: StoredRow): boolean {
  const values = columns.map((column) => row[column] as SqlValue); // Valid rows contain texts, numbers and nulls.
  const sql = `INSERT OR IGNORE INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`;
  return db.run(sql, ...values) > 0;
}

const pageSize = 4096;
/** Beyond this size a copy costs more than it may save. */
const maxBytes = 1 << 30;

/**
 * Salvages a file whose first page is destroyed. That page contains only the schema, which is the same in all
 * files of a format: a copy with the first page of a new file may be readable.
 */
export function salvageWithoutHeader(path: string, emptyPath: string, scratchPath: string): SalvagedRows | undefined {
  const {size} = statSync(path);
  if (size < 2 * pageSize || size > maxBytes) return undefined;
  // Not smaller than a new file: SQLite refuses files that lack whole tables.
  const pageCount = Math.max(Math.floor(size / pageSize), statSync(emptyPath).size / pageSize);
  copyFileSync(path, scratchPath);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${scratchPath}-wal`);
  truncateSync(scratchPath, pageCount * pageSize);
  transplantFirstPage(emptyPath, scratchPath, pageCount);
  const db = new Database(scratchPath);
  try {
    return salvageRows(db);
  } finally {
    db.close();
  }
}

function transplantFirstPage(from: string, to: string, pageCount: number): void {
  const page = Buffer.alloc(pageSize);
  const source = openSync(from, 'r');
  readSync(source, page, 0, pageSize, 0);
  closeSync(source);
  page.writeUInt32BE(pageCount, 28);
  // The free list is unknown; an empty one is harmless for reading.
  page.writeUInt32BE(0, 32);
  page.writeUInt32BE(0, 36);
  const target = openSync(to, 'r+');
  writeSync(target, page, 0, pageSize, 0);
  closeSync(target);
}
