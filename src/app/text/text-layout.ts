import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {lineCells} from './graphemes.ts';
import {shownCells} from './shown-cells.ts';
import {type RowCells, wrappedRows} from './wrapped-rows.ts';

/** A logical line at a width. All counts are in its cells. */
interface LaidOutLine {
  readonly text: string;
  readonly ends: readonly number[];
  /** Never 0 and never more than the width. */
  readonly columns: readonly number[];
  /** What stands for each cell, where they cannot be shown as they are. */
  readonly shown: readonly string[] | undefined;
  readonly rows: readonly RowCells[];
}

export interface TextRow extends RowCells {
  /** Offsets in the text; the line break belongs to no row. */
  readonly start: number;
  readonly end: number;
  /** The line goes on in the next row, and its start is where a cursor at this end stands. */
  readonly isWrapped: boolean;
  readonly line: LaidOutLine;
}

/**
 * Text as rows of a width, every character in its place. A row leaves its last column to the cursor and to the space
 * between two rows, so that a full row needs no other; only panes that are too narrow for that use all of it.
 */
export interface TextLayout {
  readonly text: string;
  readonly width: number;
  /** At least one. */
  readonly rows: readonly TextRow[];
  readonly lines: readonly LaidOutLine[];
}

export interface TextPosition {
  readonly row: number;
  readonly column: number;
}

/** Lines that are the same in the layout `before` are not laid out again: a key costs the line it is typed in. */
export function layoutText(text: string, width: number, before?: TextLayout): TextLayout {
  if (before !== undefined && before.text === text && before.width === width) return before;
  const lines = laidLines(text.split('\n'), Math.max(1, width), before?.width === width ? before.lines : []);
  const rows: TextRow[] = [];
  let offset = 0;
  for (const line of lines) {
    for (let i = 0; i < line.rows.length; i++) {
      const row = line.rows[i];
      if (row === undefined) continue;
      const {from, to, columns} = row;
      const isWrapped = i < line.rows.length - 1;
      rows.push({
        from,
        to,
        columns,
        start: offset + endOf(line, from),
        end: offset + endOf(line, to),
        isWrapped,
        line,
      });
    }
    offset += line.text.length + 1;
  }
  return {text, width, rows, lines};
}

function laidLines(texts: readonly string[], width: number, before: readonly LaidOutLine[]): LaidOutLine[] {
  const moved = before.length - texts.length;
  // Once a line differs, those below it are looked for where the change has moved them.
  let shift = 0;
  return texts.map((text, index) => {
    const known = before[index + shift];
    if (known?.text === text) return known;
    shift = moved;
    const below = before[index + shift];
    return below?.text === text ? below : laidLine(text, width);
  });
}

function laidLine(text: string, width: number): LaidOutLine {
  const {ends, columns} = lineCells(text);
  if (sanitizeText(text) === text && haveRoom(columns, width)) {
    return {text, ends, columns, shown: undefined, rows: wrappedRows({text, ends, columns}, width)};
  }
  const shown = shownCells(text, ends, width);
  const widths = shown.map(textColumns);
  return {text, ends, columns: widths, shown, rows: wrappedRows({text, ends, columns: widths}, width)};
}

function haveRoom(columns: readonly number[], width: number): boolean {
  for (const wide of columns) if (wide < 1 || wide > width) return false;
  return true;
}

function endOf(line: LaidOutLine, cells: number): number {
  return line.ends[cells - 1] ?? 0;
}

/** What the row shows: as many columns as it takes, nothing that a terminal would obey. */
export function rowText({line, from, to}: TextRow): string {
  return line.shown === undefined
    ? line.text.slice(endOf(line, from), endOf(line, to))
    : line.shown.slice(from, to).join('');
}

/** Where a cursor at this offset stands. */
export function positionOf({rows}: TextLayout, cursor: number): TextPosition {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rows[middle]?.start ?? 0) <= cursor) low = middle;
    else high = middle - 1;
  }
  const row = rows[low];
  if (row === undefined) return {row: 0, column: 0};
  const {line, from, to} = row;
  const inLine = endOf(line, from) + cursor - row.start;
  let column = 0;
  for (let i = from; i < to && (line.ends[i] ?? 0) <= inLine; i++) column += line.columns[i] ?? 0;
  return {row: low, column};
}

/** The offset of what is shown there, or the nearest one on that row. */
export function offsetAt({rows}: TextLayout, row: number, column: number): number {
  const found = rows[Math.max(0, Math.min(row, rows.length - 1))];
  if (found === undefined) return 0;
  const {line, from, to, isWrapped} = found;
  // The end of a row that goes on is the start of the next one.
  const last = isWrapped ? to - 1 : to;
  let cell = from;
  let used = line.columns[cell] ?? 0;
  while (cell < last && used <= column) {
    cell++;
    used += line.columns[cell] ?? 0;
  }
  return found.start + endOf(line, cell) - endOf(line, from);
}

/** Which row is the first to show so that the cursor is seen, moved no further than needed. */
export function scrolledTopRow({rows}: TextLayout, cursorRow: number, height: number, top: number): number {
  const lowest = Math.max(0, rows.length - height);
  const kept = Math.max(0, Math.min(top, lowest));
  if (cursorRow < kept) return cursorRow;
  return Math.max(kept, cursorRow - Math.max(1, height) + 1);
}
