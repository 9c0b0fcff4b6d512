import {LruCache, objectBytes} from '#std/lru-cache.ts';
import {blankCell, type Cell, type CellStyle, isSameCell, unstyled} from './cell-style.ts';
import type {LineCells} from './line-cells.ts';

/** A line at a column of a row. Later segments of a row paint over earlier ones. */
export interface Segment {
  readonly x: number;
  readonly line: LineCells;
}

/** A composed row of the screen. */
export interface ScreenRow {
  readonly segments: readonly Segment[];
  readonly width: number;
  /** The text that paints the whole row after it is erased, without blanks at its end. */
  readonly text: string;
  readonly cells: readonly Cell[];
  /** Every column has a cell, and no cell is a control character. */
  readonly isRegular: boolean;
}

/** The rows of the last frames by their text, for `lineUpdate`, to which Ink gives text only. Some frames are not written. */
const rowsByText = new LruCache<string, ScreenRow>(
  1024 * 1024,
  ({cells, text}) => 6 * objectBytes + 8 * cells.length + 2 * text.length,
);

export function cacheRow(row: ScreenRow): void {
  rowsByText.set(row.text, row);
}

export function cachedRow(text: string): ScreenRow | undefined {
  return rowsByText.get(text);
}

export function isMadeOf(row: ScreenRow, segments: readonly Segment[], width: number): boolean {
  return (
    row.width === width &&
    row.segments.length === segments.length &&
    row.segments.every(({x, line}, index) => segments[index]?.x === x && segments[index]?.line === line)
  );
}

export function composeRow(segments: readonly Segment[], width: number): ScreenRow {
  const sparse: (Cell | undefined)[] = Array.from({length: width}, () => blankCell);
  for (const segment of segments) paintSegment(sparse, segment);
  if (sparse.length > width) cutOff(sparse, width);
  const cells = sparse.filter((cell) => cell !== undefined);
  const isRegular = cells.length === sparse.length && !cells.some((cell) => cell.hasDoubtfulWidth && isControl(cell));
  return {segments, width, text: cellsText(cells, 0, visibleEnd(cells), isRegular), cells, isRegular};
}

function isControl({value}: Cell): boolean {
  return /\p{Cc}/u.test(value);
}

/** Paints a segment over a row. Of a wide character that it covers half, a space remains: terminals cannot show halves. */
function paintSegment(row: (Cell | undefined)[], {x, line}: Segment): void {
  if (line.cells.length === 0) return;
  const before = x > 0 ? row[x - 1] : undefined;
  if (row[x]?.value === '' && before !== undefined && before.width > 1) row[x - 1] = before.style.cell(' ');
  let at = x;
  for (const cell of line.cells) {
    row[at] = cell;
    const columns = Math.max(1, cell.width);
    // The visible half of a wide character that begins left of the screen is blank.
    for (let next = 1; next < columns; next++) row[at + next] = cell.style.cell(at < 0 ? ' ' : '');
    at += columns;
  }
  const after = row[at];
  if (after?.value === '') row[at] = after.style.cell(' ');
}

/** Cuts a row at the width of the screen. Ink does not: the terminal would wrap it and move all rows below down. */
function cutOff(row: (Cell | undefined)[], width: number): void {
  row.length = width;
  let lead = width - 1;
  while (lead > 0 && row[lead]?.value === '') lead--;
  const cell = row[lead];
  if (cell === undefined || lead + cell.width <= width) return;
  for (let at = lead; at < width; at++) row[at] = cell.style.cell(' ');
}

/** Returns the column after the last cell that an erased row does not show already. */
export function visibleEnd(cells: readonly Cell[]): number {
  let end = cells.length;
  while (end > 0) {
    const cell = cells[end - 1];
    if (cell === undefined || cell.style !== unstyled || cell.value.trimEnd() !== '') break;
    end--;
  }
  return end;
}

/**
 * Returns the text of the cells from `start` up to `end`, unstyled before and after. With `correctsColumns`, the cursor is
 * moved to the right column after each character of doubtful width: a terminal that measures it differently shows only that
 * character wrong. After the last one, where only blanks follow, the columns that it painted too much are erased.
 */
export function cellsText(cells: readonly Cell[], start: number, end: number, correctsColumns: boolean): string {
  let text = '';
  let style: CellStyle = unstyled;
  let isColumnUncertain = false;
  for (let at = start; at < end; at++) {
    const cell = cells[at];
    if (cell === undefined) continue;
    if (isColumnUncertain && cell.value !== '') {
      text += `\u001b[${at + 1}G`;
      isColumnUncertain = false;
    }
    if (cell.style !== style) {
      text += style.transitionTo(cell.style);
      style = cell.style;
    }
    text += cell.value;
    if (correctsColumns && cell.hasDoubtfulWidth) isColumnUncertain = true;
  }
  text += style.transitionTo(unstyled);
  let after = end;
  while (cells[after]?.value === '') after++;
  return isColumnUncertain && after < cells.length ? `${text}\u001b[${after + 1}G\u001b[K` : text;
}

/** Returns the first column from `start` on in which two rows differ. */
export function firstDifference(one: readonly Cell[], other: readonly Cell[], start: number): number | undefined {
  const end = Math.max(one.length, other.length);
  for (let at = start; at < end; at++) {
    if (!isSameCell(one[at] ?? blankCell, other[at] ?? blankCell)) return at;
  }
  return undefined;
}
