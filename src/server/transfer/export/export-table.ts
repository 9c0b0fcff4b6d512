import type {ExportContext} from './export-context.ts';

export type ExportRow = Readonly<Record<string, unknown>>;

/**
 * A table of Zulip's export. Its rows come from SQL, or from `rows`, or it is empty. A column whose name ends in `?` is
 * a boolean. Rows without an id are numbered. `change` completes a row, or leaves it out.
 */
export interface ExportTable {
  /** Without `zerver_`. */
  readonly name: string;
  readonly sql?: string;
  readonly rows?: (context: ExportContext) => Iterable<ExportRow>;
  // biome-ignore lint/suspicious/noExplicitAny: the columns of `sql`
  readonly change?: (row: any, context: ExportContext) => ExportRow | undefined;
  /** Whether the table is part of this export; always if undefined. */
  readonly isNeeded?: (context: ExportContext) => boolean;
  /** Whether its rows belong to one person each, who did not make them public; then the first column of `sql` names it. */
  readonly isPersonal?: true;
}

/** Yields the rows of a table as they are written. */
export function* tableRows(table: ExportTable, context: ExportContext): Generator<ExportRow> {
  let id = 0;
  for (const stored of sourceRows(table, context)) {
    if (table.isPersonal === true && !context.hasPrivateDataOf(Object.values(stored)[0])) continue;
    const row = table.change === undefined ? stored : table.change(stored, context);
    if (row === undefined) continue;
    id++;
    yield {id, ...row};
  }
}

function* sourceRows({sql, rows}: ExportTable, context: ExportContext): Generator<ExportRow> {
  if (rows !== undefined) yield* rows(context);
  if (sql !== undefined) for (const row of context.server.db.each(sql)) yield withBooleans(row);
}

function withBooleans(row: ExportRow): ExportRow {
  const result: Record<string, unknown> = {};
  for (const name in row) {
    const value = row[name];
    if (name.endsWith('?')) result[name.slice(0, -1)] = value === null ? null : value === 1;
    else result[name] = value;
  }
  return result;
}
