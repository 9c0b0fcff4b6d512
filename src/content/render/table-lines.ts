/** Renders Markdown tables. */

import type {Line, Span} from '#content/styled-text/line.ts';
import {eachGrapheme, isLatin, textColumns} from '#content/styled-text/text-width.ts';
import {spansColumns, trimmedLine, wrapSpans} from '#content/styled-text/wrap.ts';
import type {Alignment} from '#content/tokens.ts';
import type {Glyphs} from './glyphs.ts';

interface StyledTable {
  readonly align: readonly Alignment[];
  readonly header: readonly (readonly Span[])[];
  readonly rows: readonly (readonly (readonly Span[])[])[];
}

type StyledTableRow = StyledTable['header'];

/** The width of ` │ ` between two columns. */
const separatorWidth = 3;
/** A column is not made narrower than its longest word, or than this. */
const maxMinWidth = 12;
/** Limits columns times lines of a grid; a grid of very long, narrow columns is shown as records instead. */
const maxGridCells = 20_000;
/** Limits the total width of the names in all records; in larger tables names are shortened after the first record. */
const maxNameColumns = 5000;
const maxNameWidth = 24;

/** Returns a table at most `width` wide: as a grid, with wrapped cells if needed, or as records if it is too narrow. */
export function tableLines(table: StyledTable, width: number, glyphs: Glyphs): Line[] {
  const columns = columnWidths(table, width);
  const grid = columns === undefined ? undefined : gridLines(table, columns, glyphs);
  return grid ?? recordLines(table, width, glyphs);
}

/** Returns the width of each column; undefined when the columns do not fit side by side. */
function columnWidths(table: StyledTable, width: number): number[] | undefined {
  const count = table.align.length;
  const room = width - separatorWidth * (count - 1);
  if (room < count) return undefined;
  const rows = [table.header, ...table.rows];
  const natural = widest(rows, count, spansColumns);
  if (sum(natural) <= room) return natural;
  const minimum = widest(rows, count, (cell) => Math.min(maxMinWidth, wordColumns(cell)));
  return sum(minimum) > room ? undefined : distributeWidth(natural, minimum, room);
}

function widest(
  rows: readonly StyledTableRow[],
  count: number,
  columnsOf: (cell: readonly Span[]) => number,
): number[] {
  const widestIn = (i: number) => rows.reduce((width, row) => Math.max(width, columnsOf(row[i] ?? [])), 1);
  return Array.from({length: count}, (_, i) => widestIn(i));
}

/** Distributes the room: each column gets its minimum, and the rest is divided in proportion to the missing widths. */
function distributeWidth(natural: readonly number[], minimum: readonly number[], room: number): number[] {
  const widths = [...minimum];
  let left = room - sum(minimum);
  while (left > 0) {
    const tooNarrow = widths.map((_, i) => i).filter((i) => (widths[i] ?? 0) < (natural[i] ?? 0));
    if (tooNarrow.length === 0) break;
    const totalMissing = sum(tooNarrow.map((i) => (natural[i] ?? 0) - (widths[i] ?? 0)));
    const before = left;
    for (const i of tooNarrow) {
      const missing = (natural[i] ?? 0) - (widths[i] ?? 0);
      const added = Math.min(missing, left, Math.floor((before * missing) / totalMissing));
      widths[i] = (widths[i] ?? 0) + added;
      left -= added;
    }
    // Less than one column is left for each; the first ones get it.
    for (const i of left === before ? tooNarrow.slice(0, left) : []) {
      widths[i] = (widths[i] ?? 0) + 1;
      left--;
    }
  }
  return widths;
}

/** Returns the grid; undefined when it would be far larger than its content. */
function gridLines(table: StyledTable, widths: readonly number[], glyphs: Glyphs): Line[] | undefined {
  const header = wrappedRow(table.header, widths);
  const rows = table.rows.map((cells) => wrappedRow(cells, widths));
  if ((header.height + sum(rows.map(({height}) => height))) * widths.length > maxGridCells) return undefined;
  const bar: Span = {text: ` ${glyphs.columnBar} `, role: 'table_border'};
  const {rule, crossing} = glyphs;
  const ruler: Line = {
    spans: [{text: widths.map((width) => rule.repeat(width)).join(`${rule}${crossing}${rule}`), role: 'table_border'}],
    width: sum(widths) + separatorWidth * (widths.length - 1),
  };
  const lines: Line[] = [];
  let previous: WrappedRow | undefined;
  for (const row of [header, ...rows]) {
    // Rows of several lines would run together.
    if (previous === header || (previous !== undefined && Math.max(previous.height, row.height) > 1)) lines.push(ruler);
    for (let y = 0; y < row.height; y++) lines.push(gridLine(row.cells, y, widths, {align: table.align, bar}));
    previous = row;
  }
  if (previous === header) lines.push(ruler);
  return lines;
}

interface WrappedRow {
  readonly cells: readonly (readonly Line[])[];
  readonly height: number;
}

function wrappedRow(row: StyledTableRow, widths: readonly number[]): WrappedRow {
  let height = 1;
  const cells = widths.map((width, i) => {
    const cell = row[i] ?? [];
    if (cell.length === 0) return noLines;
    const text = cell[0]?.text ?? '';
    if (cell.length === 1 && text.length <= width && isLatin(text) && !text.endsWith(' '))
      return [{spans: cell, width: text.length}];
    const lines = wrapSpans(cell, {width});
    height = Math.max(height, lines.length);
    return lines;
  });
  return {cells, height};
}

const noLines: readonly Line[] = [];

function gridLine(
  cells: WrappedRow['cells'],
  y: number,
  widths: readonly number[],
  {align, bar}: {readonly align: readonly Alignment[]; readonly bar: Span},
): Line {
  const spans: Span[] = [];
  const count = widths.length;
  let columns = separatorWidth * (count - 1);
  for (let i = 0; i < count; i++) {
    if (i > 0) spans.push(bar);
    const width = widths[i] ?? 0;
    const line = cells[i]?.[y];
    const missing = width - (line?.width ?? 0);
    const before = align[i] === 'right' ? missing : align[i] === 'center' ? Math.floor(missing / 2) : 0;
    if (before > 0) spans.push(space(before));
    if (line !== undefined) for (const span of line.spans) spans.push(span);
    columns += width;
    if (missing <= before) continue;
    // No spaces are needed at the end of a line.
    if (i === count - 1 && line !== undefined && line.spans.length > 0)
      return {spans, width: columns - (missing - before)};
    spans.push(space(missing - before));
  }
  return trimmedLine(spans, columns);
}

function space(columns: number): Span {
  return {text: ' '.repeat(columns), role: 'text'};
}

/** Returns one line for each cell, with its header before it, and a rule between rows. */
function recordLines(table: StyledTable, width: number, glyphs: Glyphs): Line[] {
  if (table.rows.length === 0) return table.header.flatMap((cell) => wrapSpans(cell, {width}));
  const rest = [space(2)];
  const names = table.header.map(withColon);
  const isLarge = sum(names.map(spansColumns)) * table.rows.length > maxNameColumns;
  const columns = Math.min(maxNameWidth, width);
  const laterNames = isLarge ? table.header.map((name) => withColon(shortened(name, columns, glyphs))) : names;
  const empty = laterNames.map((name) => (name.length === 0 ? [] : wrapSpans(name, {width, first: [], rest})));
  const ruler = trimmedLine([{text: glyphs.rule.repeat(Math.min(width, 8)), role: 'table_border'}]);
  const lines: Line[] = [];
  table.rows.forEach((cells, index) => {
    if (index > 0) lines.push(ruler);
    for (let i = 0; i < table.align.length; i++) {
      const name = (index === 0 ? names[i] : laterNames[i]) ?? [];
      const cell = cells[i] ?? [];
      const isEmpty = index > 0 && cell.length === 0;
      if (!isEmpty && name.length + cell.length === 0) continue;
      const added = isEmpty ? (empty[i] ?? []) : wrapSpans([...name, ...cell], {width, first: [], rest});
      for (const line of added) lines.push(line);
    }
  });
  return lines;
}

function withColon(name: readonly Span[]): readonly Span[] {
  return name.length === 0 ? name : [...name, {text: ': ', role: 'table_header'}];
}

function shortened(name: readonly Span[], columns: number, {more}: Glyphs): readonly Span[] {
  if (spansColumns(name) <= columns) return name;
  const [first] = wrapSpans(name, {width: columns - textColumns(more)});
  return [...(first?.spans ?? []), {text: more, role: 'table_header'}];
}

function wordColumns(spans: readonly Span[]): number {
  let longest = 0;
  let current = 0;
  for (const {text} of spans) {
    let start = 0;
    eachGrapheme(text, (end, columns) => {
      // A line may break after a wide character, so it ends a word.
      current = text.charCodeAt(start) === 0x20 ? 0 : columns > 1 ? columns : current + columns;
      longest = Math.max(longest, current);
      start = end;
    });
  }
  return longest;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
