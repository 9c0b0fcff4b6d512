import {textColumns} from '#content/styled-text/text-width.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import {printableLine} from '#std/printable.ts';
import {type CliIo, outputColumns, print} from './io.ts';

/** Returns rows as lines with aligned columns. Columns of numbers are aligned to the right; the last is not padded. */
export function tableLines(texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map((row) => row.map(printableLine));
  const count = rows.reduce((max, {length}) => Math.max(max, length), 0);
  const columns = Array.from({length: count}, (_, at) => {
    const cells = rows.map((row) => row[at] ?? '');
    return {width: cells.reduce((max, cell) => Math.max(max, textColumns(cell)), 0), isNumber: cells.every(isDigits)};
  });
  return rows.map((row) =>
    row
      .map((cell, at) => {
        const {width = 0, isNumber = false} = columns[at] ?? {};
        const space = ' '.repeat(Math.max(0, width - textColumns(cell)));
        if (isNumber) return `${space}${cell}`;
        return at === row.length - 1 ? cell : `${cell}${space}`;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Prints rows as a table. Lines that are too wide are cut. */
export function printTable(io: CliIo, rows: readonly (readonly string[])[]): void {
  print(
    io,
    tableLines(rows)
      .map((line) => truncateToColumns(line, outputColumns(io)))
      .join('\n'),
  );
}

function isDigits(text: string): boolean {
  return /^\d*$/.test(text);
}
