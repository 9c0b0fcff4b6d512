import {type Cell, isSameCell, unstyled} from './cell-style.ts';
import type {Pen} from './pen.ts';
import {firstDifference, visibleEnd} from './screen-row.ts';

type Cells = readonly Cell[];

/** Shorter updates of a row are not compared with repainting the rest of the row. */
const shortUpdate = 24;

/** The columns from the first up to but not including the second one. */
export type ColumnRange = readonly [from: number, to: number];

/**
 * Writes what changes a row of the screen from `before` to `after`, in the shorter of two ways. A row with images has `written`,
 * which gets the columns that were written; such a row is never repainted from a column on, so that its images stay.
 */
export function updateRow(pen: Pen, row: number, before: Cells, after: Cells, written?: ColumnRange[]): void {
  const first = firstDifference(before, after, 0);
  if (first === undefined) return;
  const start = characterStart(before, after, first);
  const state = pen.state;
  paintRuns(pen, row, before, after, start, written);
  if (written !== undefined || pen.text.length - state.text.length <= shortUpdate) return;
  const runs = pen.state;
  pen.state = state;
  paintRest(pen, row, before, after, start);
  if (pen.text.length > runs.text.length) pen.state = runs;
}

/** Writes the whole row if it has changed, or `isForced`. Returns whether it did. */
export function writeWholeRow(pen: Pen, row: number, before: Cells, after: Cells, isForced: boolean): boolean {
  if (!isForced && firstDifference(before, after, 0) === undefined) return false;
  paintRest(pen, row, before, after, 0);
  return true;
}

/** Paints the columns that differ, run by run. */
function paintRuns(
  pen: Pen,
  row: number,
  before: Cells,
  after: Cells,
  first: number,
  written: ColumnRange[] | undefined,
): void {
  const end = visibleEnd(after);
  let start: number | undefined = first;
  while (start !== undefined) {
    const run = runFrom(before, after, start);
    const isToEnd = run.hasDoubtfulWidth || run.end > end;
    written?.push([start, isToEnd ? after.length : run.end]);
    if (run.hasDoubtfulWidth) {
      paintRest(pen, row, before, after, start);
      return;
    }
    for (let at = start; at < Math.min(run.end, end); at++) paintCell(pen, row, at, after);
    if (run.end > end) {
      pen.moveTo(row, Math.max(start, end));
      pen.eraseToEndOfRow();
      return;
    }
    start = run.next === undefined ? undefined : characterStart(before, after, run.next);
  }
}

/** More blanks than this are skipped on an erased row. */
const maxPaintedBlanks = 4;

/** Erases a row from a column on and paints the rest of it. */
function paintRest(pen: Pen, row: number, before: Cells, after: Cells, start: number): void {
  const end = visibleEnd(after);
  if (visibleEnd(before) > start) {
    pen.moveTo(row, start);
    pen.eraseToEndOfRow();
  }
  for (let at = start; at < end; at++) {
    const next = nextVisible(after, at);
    if (next - at > maxPaintedBlanks) at = next;
    paintCell(pen, row, at, after);
  }
  // Columns that a character of doubtful width painted too much.
  if (end > start && end < after.length && leadOf(after, end - 1)?.hasDoubtfulWidth === true) {
    pen.moveTo(row, end);
    pen.eraseToEndOfRow();
  }
}

function paintCell(pen: Pen, row: number, column: number, cells: Cells): void {
  const cell = cells[column];
  if (cell === undefined || cell.value === '') return;
  pen.moveTo(row, column);
  pen.paint(cell);
}

function nextVisible(cells: Cells, start: number): number {
  let at = start;
  while (cells[at]?.isBlank === true) at++;
  return at;
}

/** Returns the character that covers a column. */
function leadOf(cells: Cells, column: number): Cell | undefined {
  let at = column;
  while (at > 0 && cells[at]?.value === '') at--;
  return cells[at];
}

/** Returns the start of the character at a column, in both rows: a run never begins in the middle of a wide character. */
function characterStart(before: Cells, after: Cells, at: number): number {
  let start = at;
  while (start > 0 && (after[start]?.value === '' || before[start]?.value === '')) start--;
  return start;
}

interface ChangedRun {
  readonly end: number;
  /** The column where the next run begins. */
  readonly next: number | undefined;
  /** The run contains or covers a character of doubtful width, so the columns of the rest of the row are uncertain. */
  readonly hasDoubtfulWidth: boolean;
}

function runFrom(before: Cells, after: Cells, start: number): ChangedRun {
  let end = start;
  let hasDoubtfulWidth = false;
  for (;;) {
    hasDoubtfulWidth ||= before[end]?.hasDoubtfulWidth === true || after[end]?.hasDoubtfulWidth === true;
    end++;
    while (after[end]?.value === '' || before[end]?.value === '') end++;
    const next = firstDifference(before, after, end);
    if (next === undefined || !isCheaperPainted(after, end, next)) return {end, next, hasDoubtfulWidth};
    for (; end < next; end++) hasDoubtfulWidth ||= after[end]?.hasDoubtfulWidth === true;
  }
}

/** Returns whether painting unchanged cells between two runs costs no more than skipping them. */
function isCheaperPainted(cells: Cells, start: number, end: number): boolean {
  const skipBytes = end - start === 1 ? 3 : 4;
  if (end - start > skipBytes) return false;
  let bytes = -styleBytes(cells[start - 1], cells[end]);
  for (let at = start; at < end; at++)
    bytes += byteLength(cells[at]?.value ?? '') + styleBytes(cells[at - 1], cells[at]);
  return bytes + styleBytes(cells[end - 1], cells[end]) <= skipBytes;
}

function styleBytes(from: Cell | undefined, to: Cell | undefined): number {
  return from === undefined || to === undefined || from.style === to.style
    ? 0
    : from.style.transitionTo(to.style).short.length;
}

function byteLength(value: string): number {
  return value < '\u0080' ? value.length : value.length * 3;
}

/** Estimates the bytes that `updateRow` writes. */
export function updateBytes(before: Cells, after: Cells): number {
  if (before === after) return 0;
  const end = visibleEnd(after);
  let bytes = 0;
  let lastPainted = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < after.length; at++) {
    const [old, cell] = [before[at], after[at]];
    if (old === undefined || cell === undefined || old === cell || isSameCell(old, cell)) continue;
    if (at >= end) return bytes + moveBytes;
    if (at - lastPainted > maxPaintedBlanks) bytes += moveBytes;
    else bytes += at - lastPainted - 1;
    if (!cell.isBlank && cell.style !== after[lastPainted]?.style && cell.style !== unstyled) bytes += moveBytes;
    bytes += byteLength(cell.value);
    lastPainted = at;
  }
  return bytes;
}

/** About the length of a sequence that moves the cursor or sets a style. */
const moveBytes = 7;
