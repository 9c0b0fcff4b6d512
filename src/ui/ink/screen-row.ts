import {blankCell, type Cell, type CellStyle, isSameCell, unstyled} from './cell-style.ts';
import {type LineCells, lineCells} from './line-cells.ts';

/** A line at a column of a row. Later segments of a row paint over earlier ones. */
export interface Segment {
  readonly x: number;
  readonly line: LineCells;
}

/** A composed row of the screen. */
export interface ScreenRow {
  readonly segments: readonly Segment[];
  /** One cell for each column. */
  readonly cells: readonly Cell[];
  /** The text of the row, without blanks at its end. */
  readonly text: string;
}

export function isMadeOf({segments, cells}: ScreenRow, others: readonly Segment[], width: number): boolean {
  return (
    cells.length === width &&
    segments.length === others.length &&
    segments.every(({x, line}, index) => others[index]?.x === x && others[index]?.line === line)
  );
}

export function composeRow(segments: readonly Segment[], width: number): ScreenRow {
  const cells = blankCells(width).slice();
  for (const segment of segments) paintSegment(cells, segment);
  if (cells.length > width) cutOff(cells, width);
  return {segments, cells, text: cellsText(cells, visibleEnd(cells))};
}

/** Returns the row that shows one line of text. */
export function textRow(text: string, width: number): ScreenRow {
  return composeRow([{x: 0, line: lineCells(text)}], width);
}

/** Paints a segment over a row. Of a wide character that it covers half, a space remains: terminals cannot show halves. */
function paintSegment(row: Cell[], {x, line}: Segment): void {
  if (line.cells.length === 0) return;
  const before = x > 0 ? row[x - 1] : undefined;
  if (row[x]?.value === '' && before !== undefined && before.width > 1) row[x - 1] = before.style.cell(' ');
  let at = x;
  for (const cell of line.cells) {
    // Blanks of all styles are the same object, so that equal rows are compared quickly.
    row[at] = cell.isBlank ? blankCell : isControl(cell) ? cell.style.cell(' ') : cell;
    const columns = Math.max(1, cell.width);
    // The visible half of a wide character that begins left of the screen is blank.
    for (let next = 1; next < columns; next++) row[at + next] = cell.style.cell(at < 0 ? ' ' : '');
    at += columns;
  }
  const after = row[at];
  if (after?.value === '') row[at] = after.style.cell(' ');
}

/** Returns whether a cell would do something else in the terminal than paint. */
function isControl({value, hasDoubtfulWidth}: Cell): boolean {
  return hasDoubtfulWidth && /\p{Cc}/u.test(value);
}

/** Cuts a row at the width of the screen. Ink does not: the terminal would wrap it and move all rows below down. */
function cutOff(row: Cell[], width: number): void {
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
  while (end > 0 && cells[end - 1]?.isBlank === true) end--;
  return end;
}

/** Returns the cells up to `end` as text with styles, unstyled before and after. */
export function cellsText(cells: readonly Cell[], end: number = cells.length): string {
  let text = '';
  let style: CellStyle = unstyled;
  for (let at = 0; at < end; at++) {
    const cell = cells[at] ?? blankCell;
    if (cell.style !== style && (!cell.isBlank || style.showsOnBlanks)) {
      text += style.transitionTo(cell.style).readable;
      style = cell.style;
    }
    text += cell.value;
  }
  return style === unstyled ? text : text + style.transitionTo(unstyled).readable;
}

let blanks: Cell[] = [];

/** Returns the cells of an erased row. */
export function blankCells(columns: number): Cell[] {
  if (blanks.length !== columns) blanks = Array.from({length: columns}, () => blankCell);
  return blanks;
}

/** Returns the first column from `start` on in which two rows differ. */
export function firstDifference(one: readonly Cell[], other: readonly Cell[], start: number): number | undefined {
  const end = Math.max(one.length, other.length);
  for (let at = start; at < end; at++) {
    if (!isSameCell(one[at] ?? blankCell, other[at] ?? blankCell)) return at;
  }
  return undefined;
}
