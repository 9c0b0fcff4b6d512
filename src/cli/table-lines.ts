import {textColumns} from '#content/styled-text/text-width.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {type CliIo, outputColumns} from './io.ts';

type Rows = readonly (readonly string[])[];

/** Returns rows as lines with aligned columns. Columns of numbers are aligned to the right; the last is not padded. */
function tableLines(texts: Rows): string[] {
  const rows = texts.map((row) => row.map((cell) => composed`${printableLine(cell)}`));
  const count = rows.reduce((max, {length}) => Math.max(max, length), 0);
  const columns = Array.from({length: count}, (_, at) => {
    const cells = rows.map((row) => row[at] ?? '');
    const width = cells.reduce((max, cell) => Math.max(max, textColumns(cell)), 0);
    return {width, isNumber: cells.every((cell) => /^\d*$/.test(cell))};
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

export function tableText(rows: Rows): string {
  return tableLines(rows).join('\n');
}

/** Returns rows as a table whose lines are cut where they are too wide for the output. */
export function cutTableText(io: CliIo, rows: Rows): string {
  return cutLines(io, tableLines(rows));
}

/** Joins lines, cut where they are too wide for the output. */
export function cutLines(io: CliIo, lines: readonly string[]): string {
  return lines.map((line) => truncateToColumns(line, outputColumns(io))).join('\n');
}
