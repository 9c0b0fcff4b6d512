import {type Cell, type CellStyle, isImageCell, isSameCell, unstyled} from './cell-style.ts';
import type {LineCells} from './line-cells.ts';
import {blankCells, firstDifference, type ScreenRow, visibleEnd} from './output.ts';

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
function updateBytes(before: Cells, after: Cells): number {
  if (before === after) return 0;
  const end = visibleEnd(after);
  let bytes = 0;
  let lastPainted = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < after.length; at++) {
    const old = before[at];
    const cell = after[at];
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

/** A movement of the rows from `top` up to `bottom`: up by `lines`, or down if negative. */
export interface Scroll {
  readonly top: number;
  readonly bottom: number;
  readonly lines: number;
}

/** Fewer changed rows than this are repainted. */
const minChangedRows = 3;
/** The bytes that set the margins, move the cursor and reset the margins. */
const scrollBytes = 18;
/**
 * The bytes of a movement that there is no source row for: more than a row has, and so few that their sums stay small integers, for
 * which nothing is allocated.
 */
const impossible = 1e6;

/**
 * Returns the movement of whole rows that saves most bytes. It is found in the rows themselves: lines of the last frame
 * that are in other rows now. What stands beside moved lines moves too and is painted again, if that is still cheaper.
 */
export function findScroll(before: readonly ScreenRow[], after: readonly ScreenRow[]): Scroll | undefined {
  const changed = after.flatMap((row, y) => (row === before[y] ? [] : [y]));
  if (changed.length < minChangedRows || before.length !== after.length) return undefined;
  const shifts = likelyShifts(before, after, changed);
  if (shifts.length === 0) return undefined;
  const bytes = after.map(({cells}, y) => updateBytes(before[y]?.cells ?? [], cells));
  let best: {readonly scroll: Scroll; readonly saved: number} | undefined;
  for (const lines of shifts) {
    const found = bestRegion(before, after, bytes, changed, lines);
    if (found !== undefined && found.saved > (best?.saved ?? 0)) best = found;
  }
  return best?.scroll;
}

/** Shorter lines say nothing about a movement. */
const minLineColumns = 4;
const maxShifts = 2;

/** Returns the distances that most lines have moved by. */
function likelyShifts(
  before: readonly ScreenRow[],
  after: readonly ScreenRow[],
  changed: readonly number[],
): readonly number[] {
  const oldRows = new Map<LineCells, number[]>();
  for (const y of changed) {
    for (const {line} of before[y]?.segments ?? []) {
      const rows = oldRows.get(line);
      if (rows === undefined) oldRows.set(line, [y]);
      else rows.push(y);
    }
  }
  const columnsByShift = new Map<number, number>();
  for (const y of changed) {
    for (const {line} of after[y]?.segments ?? []) {
      const rows = oldRows.get(line);
      const columns = rows === undefined ? 0 : visibleEnd(line.cells);
      if (columns < minLineColumns) continue;
      for (const oldY of rows ?? []) {
        if (oldY !== y) columnsByShift.set(oldY - y, (columnsByShift.get(oldY - y) ?? 0) + columns);
      }
    }
  }
  const most = Math.max(0, ...columnsByShift.values());
  return [...columnsByShift]
    .filter(([, columns]) => columns > most / 2)
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxShifts)
    .map(([shift]) => shift);
}

/**
 * Returns the region in which moving rows by `lines` saves most of the `bytes` that each row needs without it. The first row
 * of the screen never moves: many terminals put rows that leave the screen at its top into their history.
 */
function bestRegion(
  before: readonly ScreenRow[],
  after: readonly ScreenRow[],
  bytes: readonly number[],
  changed: readonly number[],
  lines: number,
): {readonly scroll: Scroll; readonly saved: number} | undefined {
  const first = Math.max(1, changed[0] ?? 0);
  const end = (changed.at(-1) ?? 0) + 1;
  // Sums of the bytes saved in all rows above a row, if each has moved, or if each is painted on a blank row.
  const moved = [0];
  const painted = [0];
  let y = 0;
  for (const {cells} of after) {
    const source = y + lines < first || y + lines >= end ? undefined : before[y + lines];
    const movedBytes = source === undefined || y < first || y >= end ? impossible : updateBytes(source.cells, cells);
    moved.push((moved[y] ?? 0) + (bytes[y] ?? 0) - movedBytes);
    painted.push((painted[y] ?? 0) + (bytes[y] ?? 0) - visibleEnd(cells));
    y++;
  }
  const distance = Math.abs(lines);
  const [above, below] = lines > 0 ? [moved, painted] : [painted, moved];
  let saved = scrollBytes + 2 * distance;
  const cost = saved;
  let scroll: Scroll | undefined;
  for (let top = first; top < end; top++) {
    for (let bottom = top + distance + 1; bottom <= end; bottom++) {
      const edge = lines > 0 ? bottom - distance : top + distance;
      const savedAbove = (above[edge] ?? 0) - (above[top] ?? 0);
      const savedHere = savedAbove + (below[bottom] ?? 0) - (below[edge] ?? 0);
      if (savedHere <= saved) continue;
      saved = savedHere;
      scroll = {top, bottom, lines};
    }
  }
  return scroll === undefined ? undefined : {scroll, saved: saved - cost};
}

/** Returns the rows that the screen shows after a movement. */
export function scrolledCells(before: readonly ScreenRow[], {top, bottom, lines}: Scroll): ScreenRow['cells'][] {
  const blank = blankCells(before[0]?.cells.length ?? 0);
  return before.map(({cells}, y) => {
    if (y < top || y >= bottom) return cells;
    const source = y + lines;
    return source < top || source >= bottom ? blank : (before[source]?.cells ?? blank);
  });
}

const csi = '\u001b[';
const [noWrap, wrap] = [`${csi}?7l`, `${csi}?7h`];
const unknown = -1;

/** What a pen has written so far, to go back to. */
interface PenState {
  readonly text: string;
  readonly row: number;
  readonly column: number;
  readonly style: CellStyle;
}

/**
 * Collects what one frame writes, and knows where it leaves the cursor and in which style. It uses only sequences of the
 * VT100. Each frame begins with an absolute position: another program may have moved the cursor since the last frame.
 */
export class Pen {
  readonly #columns: number;
  #text = '';
  #row = unknown;
  #column = unknown;
  #style: CellStyle = unstyled;

  constructor(columns: number) {
    this.#columns = columns;
  }

  get text(): string {
    return this.#text;
  }

  get state(): PenState {
    return {text: this.#text, row: this.#row, column: this.#column, style: this.#style};
  }

  set state({text, row, column, style}: PenState) {
    this.#text = text;
    this.#row = row;
    this.#column = column;
    this.#style = style;
  }

  moveTo(row: number, column: number): void {
    const isSameRow = row === this.#row;
    if (isSameRow && column === this.#column) return;
    if (isSameRow && column === 0) this.#text += '\r';
    else if (isSameRow && column > this.#column) this.#text += csi + count(column - this.#column, 'C');
    else this.#text += column === 0 ? csi + count(row + 1, 'H') : `${csi}${row + 1};${column + 1}H`;
    this.#row = row;
    this.#column = column;
  }

  /** Paints a cell at the cursor. The columns that it covers have no text of their own. */
  paint({value, width, style, hasDoubtfulWidth, isBlank}: Cell): void {
    // A blank looks the same in all styles that do not show on blanks.
    if (!isBlank || this.#style.showsOnBlanks) this.setStyle(style);
    // Cells of images are blank until their image is drawn over them.
    if (isImageCell(value)) this.#text += ' ';
    else this.#text += hasDoubtfulWidth && this.#mayWrap(value) ? `${noWrap}${value}${wrap}` : value;
    this.#column += width;
    // After the last column, some terminals have the cursor on the next row.
    if (hasDoubtfulWidth || this.#column >= this.#columns) this.#forgetPosition();
  }

  /** Returns whether a terminal that measures every code point separately may continue the character on the next row. */
  #mayWrap(value: string): boolean {
    return this.#column + 2 * [...value].length > this.#columns;
  }

  setStyle(style: CellStyle): void {
    if (style === this.#style) return;
    this.#text += this.#style.transitionTo(style).short;
    this.#style = style;
  }

  /** Erases without a style: terminals disagree about which styles an erased cell keeps. */
  eraseToEndOfRow(): void {
    this.setStyle(unstyled);
    this.#text += `${csi}K`;
  }

  eraseScreen(): void {
    this.setStyle(unstyled);
    this.moveTo(0, 0);
    this.#text += `${csi}J`;
  }

  /** Moves rows from `top` up to `bottom` by a number of lines: up, or down if it is negative. New rows are blank. */
  scroll(top: number, bottom: number, lines: number): void {
    this.setStyle(unstyled);
    this.#text += `${csi}${top + 1};${bottom}r`;
    this.#forgetPosition();
    this.moveTo(lines > 0 ? bottom - 1 : top, 0);
    this.#text += `${lines > 0 ? '\u001bD' : '\u001bM'}`.repeat(Math.abs(lines));
    this.#text += `${csi}r`;
    this.#forgetPosition();
  }

  /** Writes a sequence that may leave the cursor anywhere. */
  write(sequence: string): void {
    this.setStyle(unstyled);
    this.#text += sequence;
    this.#forgetPosition();
  }

  /** Writes a sequence that begins at a position. */
  draw(row: number, column: number, sequence: string): void {
    this.moveTo(row, column);
    this.write(sequence);
  }

  #forgetPosition(): void {
    this.#row = unknown;
    this.#column = unknown;
  }
}

/** Returns a number and the letter of a sequence; 1 is the default and not written. */
function count(number: number, letter: string): string {
  return number === 1 ? letter : `${number}${letter}`;
}
