import type {CliIo} from '#cli/io.ts';
import {cellsOf, textColumns} from '#content/lines/cells.ts';

/** Of a pipe, and of whoever reads it. */
const usualColumns = 120;

/** Room for one line of a list. */
export function columnsOf({columns}: Pick<CliIo, 'columns'>): number {
  return columns ?? usualColumns;
}

/** As much of a line as fits into so many columns, with an ellipsis where it is cut. */
export function fitted(text: string, columns: number): string {
  if (textColumns(text) <= columns) return text;
  const cells = cellsOf(text);
  let [end, room] = [0, columns - 1];
  for (const [index, wide] of cells.columns.entries()) {
    room -= wide;
    if (room < 0) break;
    end = cells.ends[index] ?? end;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}
