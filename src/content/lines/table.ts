import type {Alignment} from '#content/tokens.ts';
import {cellsOf} from './cells.ts';
import type {Glyphs} from './glyphs.ts';
import type {Line, Span} from './line.ts';
import {lineOf, spansColumns, wrap} from './wrap.ts';

export interface Table {
  readonly align: readonly Alignment[];
  readonly header: readonly (readonly Span[])[];
  readonly rows: readonly (readonly (readonly Span[])[])[];
}

const between = 3;
/** A column is not made narrower than its longest word, unless that is longer than this. */
const longestWord = 12;

/** A table at most this wide: as it is, with wrapped cells, or, when columns would be mere slivers, as records. */
export function tableLines(table: Table, width: number, glyphs: Glyphs): Line[] {
  const columns = columnWidths(table, width);
  return columns === undefined ? recordLines(table, width, glyphs) : gridLines(table, columns, glyphs);
}

/** Undefined when the columns do not fit side by side. */
function columnWidths(table: Table, width: number): number[] | undefined {
  const count = table.align.length;
  const room = width - between * (count - 1);
  if (room < count) return undefined;
  const natural = new Array<number>(count).fill(1);
  const least = new Array<number>(count).fill(1);
  for (const row of [table.header, ...table.rows]) {
    for (let i = 0; i < count; i++) {
      const cell = row[i] ?? [];
      natural[i] = Math.max(natural[i] ?? 1, spansColumns(cell));
      least[i] = Math.max(least[i] ?? 1, Math.min(longestWord, wordColumns(cell)));
    }
  }
  if (sum(natural) <= room) return natural;
  return sum(least) > room ? undefined : shared(natural, least, room);
}

/** Columns that are content with an equal share keep their width; the others divide the rest by what they want. */
function shared(natural: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...least];
  let left = room - sum(least);
  while (left > 0) {
    const wanting = widths.map((_, i) => i).filter((i) => (widths[i] ?? 0) < (natural[i] ?? 0));
    if (wanting.length === 0) break;
    const wish = sum(wanting.map((i) => (natural[i] ?? 0) - (widths[i] ?? 0)));
    const before = left;
    for (const i of wanting) {
      const missing = (natural[i] ?? 0) - (widths[i] ?? 0);
      const given = Math.min(missing, left, Math.floor((before * missing) / wish));
      widths[i] = (widths[i] ?? 0) + given;
      left -= given;
    }
    // Less than one column for each: the first ones get it.
    for (const i of left === before ? wanting.slice(0, left) : []) {
      widths[i] = (widths[i] ?? 0) + 1;
      left--;
    }
  }
  return widths;
}

function gridLines(table: Table, widths: readonly number[], glyphs: Glyphs): Line[] {
  const bar: Span = {text: ` ${glyphs.columnBar} `, role: 'table_border'};
  const row = (cells: readonly (readonly Span[])[]): Line[] => {
    const wrapped = widths.map((width, i) => wrap(cells[i] ?? [], {width}));
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({length: height}, (_, y) =>
      lineOf(
        wrapped.flatMap((lines, i) => {
          const cell = aligned(lines[y] ?? {spans: [], width: 0}, widths[i] ?? 0, table.align[i]);
          return i === 0 ? cell : [bar, ...cell];
        }),
      ),
    );
  };
  const {rule, crossing} = glyphs;
  const ruler = widths.map((width) => rule.repeat(width)).join(`${rule}${crossing}${rule}`);
  return [...row(table.header), lineOf([{text: ruler, role: 'table_border'}]), ...table.rows.flatMap(row)];
}

function aligned(line: Line, width: number, align: Alignment): Span[] {
  const missing = width - line.width;
  if (missing <= 0) return [...line.spans];
  const before = align === 'right' ? missing : align === 'center' ? Math.floor(missing / 2) : 0;
  return [...space(before), ...line.spans, ...space(missing - before)];
}

function space(columns: number): Span[] {
  return columns === 0 ? [] : [{text: ' '.repeat(columns), role: 'text'}];
}

/** One line for each cell, named by its header, and a rule between rows. */
function recordLines(table: Table, width: number, glyphs: Glyphs): Line[] {
  const ruler = lineOf([{text: glyphs.rule.repeat(Math.min(width, 8)), role: 'table_border'}]);
  const rest: Span[] = [{text: '  ', role: 'text'}];
  const record = (cells: readonly (readonly Span[])[]): Line[] =>
    table.align.flatMap((_, i) => {
      const name = table.header[i] ?? [];
      const cell = cells[i] ?? [];
      if (name.length === 0 && cell.length === 0) return [];
      const colon: Span = {text: ': ', role: 'table_header'};
      return wrap(name.length === 0 ? cell : [...name, colon, ...cell], {width, first: [], rest});
    });
  if (table.rows.length === 0) return table.header.flatMap((cell) => wrap(cell, {width}));
  return table.rows.flatMap((cells, index) => (index === 0 ? record(cells) : [ruler, ...record(cells)]));
}

function wordColumns(spans: readonly Span[]): number {
  let longest = 0;
  let current = 0;
  for (const {text} of spans) {
    const {ends, columns} = cellsOf(text);
    for (let i = 0; i < ends.length; i++) {
      current = text.charCodeAt(ends[i - 1] ?? 0) === 0x20 ? 0 : current + (columns[i] ?? 0);
      // A wide character may end a line, so what it stands in is not one word.
      if ((columns[i] ?? 0) > 1) current = columns[i] ?? 0;
      longest = Math.max(longest, current);
    }
  }
  return longest;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
