import {blankCell, type Cell, type CellStyle, isSameCell, unstyled} from './cell-style.ts';
import type {LineCells} from './line-cells.ts';

/** A line written at a column. Later ones paint over earlier ones. */
export interface Segment {
  readonly x: number;
  readonly line: LineCells;
}

/** A finished row of the screen. */
export interface ScreenRow {
  readonly segments: readonly Segment[];
  readonly width: number;
  /** What the terminal is sent for the whole row, with nothing at its end that an erased row shows anyway. */
  readonly text: string;
  readonly cells: readonly Cell[];
  /** Every column has its cell, and none of them moves the cursor in ways of its own. */
  readonly isRegular: boolean;
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
  for (const segment of segments) place(sparse, segment);
  if (sparse.length > width) cutOff(sparse, width);
  const cells = sparse.filter((cell) => cell !== undefined);
  const isRegular =
    cells.length === sparse.length && !cells.some((cell) => cell.hasDoubtfulWidth && isControl(cell));
  return {segments, width, text: cellsText(cells, 0, visibleEnd(cells), isRegular), cells, isRegular};
}

function isControl({value}: Cell): boolean {
  return /\p{Cc}/u.test(value);
}

/** A wide character that loses one half to this line becomes a space of its own style: terminals cannot show halves. */
function place(row: (Cell | undefined)[], {x, line}: Segment): void {
  if (line.cells.length === 0) return;
  const before = x > 0 ? row[x - 1] : undefined;
  if (row[x]?.value === '' && before !== undefined && before.width > 1) row[x - 1] = before.style.cell(' ');
  let at = x;
  for (const cell of line.cells) {
    row[at] = cell;
    const columns = Math.max(1, cell.width);
    // Of a wide character that begins left of the screen, the rest is blank.
    for (let next = 1; next < columns; next++) row[at + next] = cell.style.cell(at < 0 ? ' ' : '');
    at += columns;
  }
  const after = row[at];
  if (after?.value === '') row[at] = after.style.cell(' ');
}

/** A row that is too wide would go on in the next one and push all that follows down; Ink lets it. */
function cutOff(row: (Cell | undefined)[], width: number): void {
  row.length = width;
  let lead = width - 1;
  while (lead > 0 && row[lead]?.value === '') lead--;
  const cell = row[lead];
  if (cell === undefined || lead + cell.width <= width) return;
  for (let at = lead; at < width; at++) row[at] = cell.style.cell(' ');
}

/** Where the blanks begin that an erased row shows anyway. */
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
 * The cells of some columns, from no style to no style. Behind a character of doubtful width the cursor is put where the
 * next one belongs, so that a terminal of another opinion shows that character oddly and nothing else. At the end, where
 * only blanks follow, what it painted too much is erased.
 */
export function cellsText(cells: readonly Cell[], start: number, end: number, isSteered: boolean): string {
  let text = '';
  let style: CellStyle = unstyled;
  let isAdrift = false;
  for (let at = start; at < end; at++) {
    const cell = cells[at];
    if (cell === undefined) continue;
    if (isAdrift && cell.value !== '') {
      text += `\u001b[${at + 1}G`;
      isAdrift = false;
    }
    if (cell.style !== style) {
      text += style.transitionTo(cell.style);
      style = cell.style;
    }
    text += cell.value;
    if (isSteered && cell.hasDoubtfulWidth) isAdrift = true;
  }
  text += style.transitionTo(unstyled);
  let after = end;
  while (cells[after]?.value === '') after++;
  return isAdrift && after < cells.length ? `${text}\u001b[${after + 1}G\u001b[K` : text;
}

/** The first column from `start` on in which two rows differ. */
export function firstDifference(
  one: readonly Cell[],
  other: readonly Cell[],
  start: number,
): number | undefined {
  const end = Math.max(one.length, other.length);
  for (let at = start; at < end; at++) {
    if (!isSameCell(one[at] ?? blankCell, other[at] ?? blankCell)) return at;
  }
  return undefined;
}
