import {paragraphCells} from '#content/styled-text/bidi.ts';
import type {Paragraph} from '#content/styled-text/line.ts';
import {type Bidi, isPlacedByParley, isRightToLeft} from '#content/styled-text/right-to-left.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {type GraphemeWidths, textColumns} from '#content/styled-text/text-width.ts';
import {notAtLineEnd, notAtLineStart, tooWideMark} from '#content/styled-text/wrap.ts';
import {hasRightToLeft} from '#std/composed-text.ts';
import {boundaryAfter, boundaryBefore, firstFrom, lineCells} from './graphemes.ts';

/**
 * A logical line laid out at a width. All counts are in cells. `columns`: at least 1 and at most the width. `shown`: the
 * painted text of each cell, if some cannot be painted as they are.
 */
type LaidOutLine = ReturnType<typeof layoutLine>;

interface TextRow extends RowCells {
  /** Offsets in the text, without the line break. */
  readonly start: number;
  readonly end: number;
  /** The line continues in the next row, and a cursor at this row's end stands at the start of the next. */
  readonly isWrapped: boolean;
  readonly line: LaidOutLine;
}

/**
 * Text laid out as rows of a width. A row leaves its last column for the cursor and for the space between two rows, so that
 * a full row needs no additional one; panes too narrow for that use all columns.
 */
export interface TextLayout {
  readonly text: string;
  readonly width: number;
  /** At least one. */
  readonly rows: readonly TextRow[];
  readonly lines: readonly LaidOutLine[];
  readonly order: TextOrder;
}

/** Lays out the text. Lines unchanged since the layout `before` are reused, so that a key costs only its own line. */
export function layoutText(text: string, width: number, before?: TextLayout, order: TextOrder = 'off'): TextLayout {
  const isReusable = before?.width === width && before.order === order;
  if (isReusable && before.text === text) return before;
  const lines = layoutLines(text.split('\n'), Math.max(1, width), isReusable ? before.lines : [], order);
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
  return {text, width, rows, lines, order};
}

function layoutLines(
  texts: readonly string[],
  width: number,
  before: readonly LaidOutLine[],
  order: TextOrder,
): LaidOutLine[] {
  const moved = before.length - texts.length;
  // After the first changed line, the lines below are at positions shifted by the change.
  let shift = 0;
  return texts.map((text, index) => {
    const unchanged = before[index + shift];
    if (unchanged?.text === text) return unchanged;
    shift = moved;
    const below = before[index + shift];
    return below?.text === text ? below : layoutLine(text, width, order);
  });
}

function layoutLine(text: string, width: number, order: TextOrder) {
  const {ends, columns} = lineCells(text);
  if (sanitizeText(text) === text && allFit(columns, width)) {
    const paragraph = orderedParagraph(text, roomOf(width), order);
    return {text, ends, columns, shown: undefined, paragraph, rows: wrappedRows({text, ends, columns}, width)};
  }
  const shown = shownCells(text, ends, width);
  const widths = shown.map(textColumns);
  const paragraph = orderedParagraph(shown.join(''), roomOf(width), order);
  return {text, ends, columns: widths, shown, paragraph, rows: wrappedRows({text, ends, columns: widths}, width)};
}

function allFit(columns: readonly number[], width: number): boolean {
  for (const columnCount of columns) if (columnCount < 1 || columnCount > width) return false;
  return true;
}

function endOf(line: LaidOutLine, cells: number): number {
  return line.ends[cells - 1] ?? 0;
}

/** Returns the row's text: exactly its columns, without control characters. */
export function rowText({line, from, to}: TextRow): string {
  return line.shown === undefined
    ? line.text.slice(endOf(line, from), endOf(line, to))
    : line.shown.slice(from, to).join('');
}

/** Returns the row as a part of its paragraph, for the order in which it is painted. */
export function rowSpan(row: TextRow): {readonly text: string; readonly paragraph?: Paragraph; readonly at?: number} {
  const {paragraph} = row.line;
  const text = rowText(row);
  return paragraph === undefined ? {text} : {text, paragraph, at: shownOffset(row.line, row.from)};
}

/** Returns where a cell starts in the painted text of the line. */
function shownOffset(line: LaidOutLine, cell: number): number {
  return line.shown === undefined ? endOf(line, cell) : line.shown.slice(0, cell).join('').length;
}

/** Returns the columns of the cursor's places on a row whose characters are not painted in the order of the text. */
function rowGaps({line, from, to, isWrapped}: TextRow): readonly number[] | undefined {
  if (line.paragraph === undefined) return undefined;
  const at = shownOffset(line, from);
  const ends: number[] = [];
  for (let cell = from; cell < to; cell++) {
    const length = line.shown?.[cell]?.length ?? endOf(line, cell + 1) - endOf(line, cell);
    ends.push((ends.at(-1) ?? 0) + length);
  }
  const gaps = gapColumns(line.paragraph, at, ends, line.columns.slice(from, to));
  // The end of a wrapped row is the start of the next one.
  return isWrapped ? gaps.slice(0, -1) : gaps;
}

/** Returns the offset to the left or right of the cursor on the screen. */
export function offsetBeside(layout: TextLayout, cursor: number, step: 1 | -1): number | undefined {
  const {row: at} = positionOf(layout, cursor);
  const row = layout.rows[at];
  const gaps = row === undefined ? undefined : rowGaps(row);
  if (row === undefined || gaps === undefined) return undefined;
  const {line, from, start, end, isWrapped} = row;
  const place = cellsBefore(row, cursor);
  const beside = gapBeside(gaps, place, step);
  if (beside !== undefined) return start + endOf(line, from + beside) - endOf(line, from);
  const isForward = (step === 1) !== (line.paragraph !== undefined && isRightToLeft(line.paragraph));
  // Beyond the edge is the row before or after; there may be none.
  if (isForward) return isWrapped ? end : end < layout.text.length ? boundaryAfter(layout.text, end) : cursor;
  return start > 0 ? boundaryBefore(layout.text, start) : cursor;
}

/** Returns the number of cells on the row before an offset. */
function cellsBefore({line, from, to, start}: TextRow, cursor: number): number {
  const inLine = endOf(line, from) + cursor - start;
  let cell = from;
  while (cell < to && (line.ends[cell] ?? 0) <= inLine) cell++;
  return cell - from;
}

/** Returns the position of a cursor at this offset. */
export function positionOf({rows}: TextLayout, cursor: number) {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rows[middle]?.start ?? 0) <= cursor) low = middle;
    else high = middle - 1;
  }
  const row = rows[low];
  if (row === undefined) return {row: 0, column: 0};
  const cells = cellsBefore(row, cursor);
  const column = rowGaps(row)?.[cells] ?? columnsOf(row.line, row.from, row.from + cells);
  return {row: low, column};
}

/** Returns the offset at this position, or the nearest one on the row. */
export function offsetAt({rows}: TextLayout, row: number, column: number): number {
  const textRow = rows[Math.max(0, Math.min(row, rows.length - 1))];
  if (textRow === undefined) return 0;
  const {line, from, to, isWrapped} = textRow;
  const gaps = rowGaps(textRow);
  if (gaps !== undefined) return textRow.start + endOf(line, from + gapAt(gaps, column)) - endOf(line, from);
  // The end of a wrapped row is the start of the next one.
  const last = isWrapped ? to - 1 : to;
  let cell = from;
  let used = line.columns[cell] ?? 0;
  while (cell < last && used <= column) {
    cell++;
    used += line.columns[cell] ?? 0;
  }
  return textRow.start + endOf(line, cell) - endOf(line, from);
}

/** Returns the first row to show so that the cursor is visible, scrolled no further than needed. */
export function scrolledTopRow({rows}: TextLayout, cursorRow: number, height: number, top: number): number {
  const lowest = Math.max(0, rows.length - height);
  const clampedTop = Math.max(0, Math.min(top, lowest));
  if (cursorRow < clampedTop) return cursorRow;
  return Math.max(clampedTop, cursorRow - Math.max(1, height) + 1);
}

/** The cells of one row, `to` exclusive. */
interface RowCells {
  readonly from: number;
  readonly to: number;
  readonly columns: number;
}

interface LineToWrap extends GraphemeWidths {
  readonly text: string;
}

/** Narrower panes cannot spare a column. */
const minSparingWidth = 8;

/** Returns the columns of a row that text may fill. */
function roomOf(width: number): number {
  return width < minSparingWidth ? width : width - 1;
}

/** Wraps a line into rows, between words where possible; every space is preserved. */
function wrappedRows(line: LineToWrap, width: number): RowCells[] {
  const room = roomOf(width);
  const count = line.columns.length;
  const rows: RowCells[] = [];
  let from = 0;
  let used = 0;
  for (let i = 0; i < count; i++) {
    const columns = line.columns[i] ?? 0;
    const limit = isSpace(line, i) ? width : room;
    // The carried text may exceed the limit again, but only once.
    while (used + columns > limit && i > from) {
      const next = isSpace(line, i) ? i : breakBefore(line, from, i);
      const carried = columnsOf(line, next, i);
      rows.push({from, to: next, columns: used - carried});
      from = next;
      used = carried;
    }
    used += columns;
  }
  rows.push({from, to: count, columns: used});
  // A cursor behind the last column needs a row to stand on.
  if (used >= width) rows.push({from: count, to: count, columns: 0});
  return rows;
}

/** Returns where the row must end so that `i` starts the next: the last break between words, or `i`. */
function breakBefore(line: LineToWrap, from: number, i: number): number {
  for (let next = i; next > from; next--) {
    if (!mayBreakBefore(line, next)) continue;
    return isBlank(line, from, next) ? i : next;
  }
  return i;
}

function mayBreakBefore(line: LineToWrap, i: number): boolean {
  const code = line.text.charCodeAt(line.ends[i - 2] ?? 0);
  if (code === 0x20 || code === 0x09 || code === 0x3000 || code === 0x2014) return true;
  if (code === 0x2d || code === 0x2010) return word.test(character(line, i - 2)) && letter.test(character(line, i));
  const isWide = (line.columns[i - 1] ?? 0) > 1 || (line.columns[i] ?? 0) > 1;
  return isWide && !notAtLineStart.test(character(line, i)) && !notAtLineEnd.test(character(line, i - 1));
}

const word = /^[\p{L}\p{N}]/u;
const letter = /^\p{L}/u;

function isSpace(line: LineToWrap, i: number): boolean {
  const end = line.ends[i] ?? 0;
  return line.text.charCodeAt(end - 1) === 0x20 && end - (line.ends[i - 1] ?? 0) === 1;
}

/** Whether the range is blank: an indentation stays with the text that it indents. */
function isBlank(line: LineToWrap, from: number, to: number): boolean {
  return line.text.slice(line.ends[from - 1] ?? 0, line.ends[to - 1] ?? 0).trim() === '';
}

function columnsOf(line: LineToWrap, from: number, to: number): number {
  let total = 0;
  for (let i = from; i < to; i++) total += line.columns[i] ?? 0;
  return total;
}

function character(line: LineToWrap, i: number): string {
  return line.text.slice(line.ends[i - 1] ?? 0, line.ends[i] ?? 0);
}

const tabColumns = 4;
/** Shown for invisible characters. */
const invisibleGlyph = '·';
/** A letter with a zero-width joiner or non-joiner, as in Persian: its effect shows on the next letter. */
const joinedLetter = /^\p{L}\p{M}*[\u200c\u200d]$/u;
/** Half a flag: two halves separated by an invisible character must not join into one flag on the screen. */
const halfFlag = /^\p{Regional_Indicator}$/u;

/**
 * Returns what is painted for each cell of a line. Each is at least one column wide, so that the cursor can stand on
 * it.
 */
export function shownCells(line: string, ends: readonly number[], width: number): string[] {
  const shownByCell = new Map<string, string>();
  return ends.map((end, i) => {
    const cell = line.slice(ends[i - 1] ?? 0, end);
    const shown = shownByCell.get(cell) ?? shownCell(cell, width);
    shownByCell.set(cell, shown);
    return shown;
  });
}

function shownCell(cell: string, width: number): string {
  const text = visible(cell, width);
  return textColumns(text) > width ? tooWideMark : text;
}

function visible(cell: string, width: number): string {
  if (cell === '\t') return ' '.repeat(Math.min(tabColumns, width));
  const code = cell.charCodeAt(0);
  if (cell.length === 1 && code < 0x20) return String.fromCharCode(0x2400 + code);
  if (cell === '\u007f') return '\u2421';
  if (cell > '\u0600' && joinedLetter.test(cell)) return cell;
  const shown = sanitizeText(cell);
  if (shown !== cell && halfFlag.test(shown)) return `${shown}\u200c`;
  return textColumns(shown) === 0 ? invisibleGlyph : shown;
}

/**
 * Returns the visible part of a one-line field: it follows the cursor and scrolls no further than needed. `column`: the
 * cursor's column in `shown`, always less than the width. `left`: the number of characters hidden at the left. `span`: `shown`
 * as it is painted.
 */
export function lineWindow(text: string, cursor: number, width: number, left = 0, order: TextOrder = 'off') {
  const room = Math.max(1, width);
  const {ends} = lineCells(text);
  const shown = shownCells(text, ends, room);
  const starts = [0];
  for (const cell of shown) starts.push((starts.at(-1) ?? 0) + textColumns(cell));
  const columns = (from: number, to: number): number => (starts[to] ?? 0) - (starts[from] ?? 0);
  const at = cursor <= 0 ? 0 : Math.min(shown.length, firstFrom(ends, cursor) + 1);
  let first = Math.min(left, at);
  while (first < at && columns(first, at) >= room) first++;
  // After the text became shorter, scroll back so that no room stays empty.
  while (first > 0 && columns(first - 1, shown.length) < room) first--;
  let last = at;
  while (last < shown.length && columns(first, last + 1) <= room) last++;
  const visible = shown.slice(first, last);
  const window = {shown: visible.join(''), column: columns(first, at), left: first};
  const paragraph = orderedParagraph(window.shown, 0, order);
  if (paragraph === undefined) return {...window, span: {text: window.shown}};
  const visibleEnds: number[] = [];
  for (const cell of visible) visibleEnds.push((visibleEnds.at(-1) ?? 0) + cell.length);
  const gaps = gapColumns(paragraph, 0, visibleEnds, visible.map(textColumns));
  return {...window, column: gaps[at - first] ?? window.column, span: {text: window.shown, paragraph, at: 0}};
}

/** Who orders right-to-left text that is edited. `inPlace`: Parley does, and text that begins at the right stays at the left. */
export type TextOrder = Bidi | 'inPlace';

/** Returns the order of text in a field that others may stand beside. */
export function fieldOrder({bidi}: {readonly bidi: Bidi}): TextOrder {
  return isPlacedByParley(bidi) ? 'inPlace' : bidi;
}

/** Returns the paragraph of a line of edited text, if the cursor's places on it are not simply those of the text. */
function orderedParagraph(text: string, width: number, order: TextOrder): Paragraph | undefined {
  if ((!isPlacedByParley(order) && order !== 'inPlace') || !hasRightToLeft(text)) return undefined;
  return {text, width: order === 'inPlace' ? 0 : width};
}

/**
 * Returns the column of each place of the cursor on a row: before its first cell, and after each. The cursor is a bar at the
 * left edge of its column. It stands at the edge of the character before it, where the next one of its direction is added.
 */
function gapColumns(
  paragraph: Paragraph,
  at: number,
  ends: readonly number[],
  columns: readonly number[],
): readonly number[] {
  const {order, levels} = paragraphCells(paragraph, at, ends);
  const used = columns.reduce((total, own) => total + own, 0);
  let next = isRightToLeft(paragraph) ? Math.max(0, paragraph.width - used) : 0;
  if (ends.length === 0) return [next];
  const starts: number[] = [];
  for (const cell of order) {
    starts[cell] = next;
    next += columns[cell] ?? 0;
  }
  const edge = (cell: number, isEnd: boolean) => {
    const isRight = ((levels[cell] ?? 0) & 1) === 1 ? !isEnd : isEnd;
    return (starts[cell] ?? 0) + (isRight ? (columns[cell] ?? 0) : 0);
  };
  return [edge(0, false), ...ends.map((_, cell) => edge(cell, true))];
}

/** Returns the place to the left or right of a place; undefined at the edge of the row. */
function gapBeside(gaps: readonly number[], place: number, step: 1 | -1): number | undefined {
  const from = gaps[place] ?? 0;
  let best: number | undefined;
  for (const [other, column] of gaps.entries()) {
    const distance = (column - from) * step;
    if (distance <= 0) continue;
    const bestDistance = best === undefined ? Number.POSITIVE_INFINITY : ((gaps[best] ?? 0) - from) * step;
    // Of two places in one column, the one that is nearer in the text.
    const isNearer = best === undefined || Math.abs(other - place) < Math.abs(best - place);
    if (distance < bestDistance || (distance === bestDistance && isNearer)) best = other;
  }
  return best;
}

/** Returns the place nearest to a column. */
function gapAt(gaps: readonly number[], column: number): number {
  let best = 0;
  for (const [place, own] of gaps.entries()) {
    if (Math.abs(own - column) < Math.abs((gaps[best] ?? 0) - column)) best = place;
  }
  return best;
}
