import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import {Database, type SqlValue, type StoredRow} from './database.ts';
import {isValidRow, type UserDataTable, userDataColumns} from './row-decoders.ts';

export type SalvagedRows = Readonly<Record<UserDataTable, readonly StoredRow[]>>;

const tables: readonly UserDataTable[] = ['outbox', 'draft', 'deed', 'note', 'session'];

/**
 * The rows that can still be read, and make sense. A scan ends where the damage begins, so each table is read from both
 * ends. Undefined when no table can be read at all.
 */
export function salvageRows(db: Database): SalvagedRows | undefined {
  let isReadable = false;
  const found = {} as Record<UserDataTable, StoredRow[]>; // Filled for every table below.
  for (const table of tables) {
    const rows = new Map<unknown, StoredRow>();
    for (const direction of ['ASC', 'DESC']) {
      isReadable = scan(db, table, direction, rows) || isReadable;
    }
    found[table] = [...rows.values()].filter((row) => isValidRow(table, row));
    found[table].sort((a, b) => Number(a._rowid) - Number(b._rowid));
  }
  return isReadable ? found : undefined;
}

/** False when not even the table was found. */
function scan(db: Database, table: UserDataTable, direction: string, rows: Map<unknown, StoredRow>): boolean {
  let isFound = false;
  try {
    // NOT INDEXED, by rowid: the damage may be in an index.
    const sql = `SELECT rowid AS _rowid, * FROM ${table} NOT INDEXED ORDER BY rowid ${direction}`;
    for (const row of db.each(sql)) {
      isFound = true;
      if (!rows.has(row._rowid)) rows.set(row._rowid, row);
    }
    return true;
  } catch {
    return isFound;
  }
}

/** Puts them where they were. */
export function restoreRows(db: Database, salvaged: SalvagedRows): void {
  db.transaction('full', () => {
    for (const table of tables) {
      const columns = userDataColumns[table];
      const marks = columns.map(() => '?').join();
      for (const row of salvaged[table]) {
        const values = columns.map((column) => row[column] as SqlValue); // Sound rows hold texts, numbers and nulls.
        db.run(`INSERT OR IGNORE INTO ${table} (${columns.join()}) VALUES (${marks})`, ...values);
      }
    }
  });
}

const pageSize = 4096;
/** Beyond this a copy costs more than it may bring. */
const mostBytes = 1 << 30;

/**
 * A file whose beginning is destroyed has lost only its table of contents, and that is the same in every file of ours: a
 * copy with the first page of a pristine file may be readable.
 */
export function salvageWithoutHeader(
  path: string,
  pristinePath: string,
  scratchPath: string,
): SalvagedRows | undefined {
  const {size} = statSync(path);
  if (size < 2 * pageSize || size > mostBytes) return undefined;
  // Not shorter than a file of ours can be: SQLite refuses to look at one that lacks whole tables.
  const pageCount = Math.max(Math.floor(size / pageSize), statSync(pristinePath).size / pageSize);
  copyFileSync(path, scratchPath);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${scratchPath}-wal`);
  truncateSync(scratchPath, pageCount * pageSize);
  transplantFirstPage(pristinePath, scratchPath, pageCount);
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
  // The free list is unknown; an empty one does no harm to a reader.
  page.writeUInt32BE(0, 32);
  page.writeUInt32BE(0, 36);
  const target = openSync(to, 'r+');
  writeSync(target, page, 0, pageSize, 0);
  closeSync(target);
}
