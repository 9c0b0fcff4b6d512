import {LruCache, textEntryBytes} from '#std/lru-cache.ts';
import {
  blankCell,
  type Cell,
  type CellStyle,
  type ImageCellRow,
  imageCellRow,
  isImageCell,
  isSameCell,
  unstyled,
} from './cell-style.ts';
import {type LineCells, lineCells} from './line-cells.ts';

type Transformer = (line: string, index: number) => string;

type Operation =
  | {readonly kind: 'clip'; readonly clip: Clip}
  | {readonly kind: 'unclip'}
  | {
      readonly kind: 'write';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly transformers: readonly Transformer[];
    };

/** The rows of the last frame, reused where they are unchanged. A module variable, because there is one screen. */
let previous: {readonly rows: readonly ScreenRow[]; readonly output: string} = {rows: [], output: ''};

/** What the names of frames begin with: no text has this character. */
const namePrefix = '\u0000frame ';
let framesNamed = 0;
let areFramesNamed = false;

/**
 * Gives Ink a name of each frame in place of its text, which it would copy and compare for each key, until the returned function
 * is called. Meanwhile only the frame writer may write the frames: it knows the rows of the last one.
 */
export function nameFrames(): () => void {
  areFramesNamed = true;
  return () => {
    areFramesNamed = false;
  };
}

/** Returns the rows of a frame by its text or name: those that were composed for the last frame, if it is that one. */
export function rowsOfFrame(frame: string, width: number): readonly ScreenRow[] {
  const {rows, output} = previous;
  if (frame !== output && !frame.startsWith(namePrefix)) return frame.split('\n').map((line) => textRow(line, width));
  return rows[0]?.cells.length === width ? rows : rows.map(({segments}) => composeRow(segments, width));
}

/**
 * Replaces Ink's class of this name and paints the same cells. Ink's parses every visible line in every frame; this one
 * caches parsed lines, describes a row as a list of lines at columns, and composes only rows whose list has changed.
 */
export class Output {
  readonly width: number;
  readonly height: number;
  readonly #operations: Operation[] = [];

  constructor({width, height}: {width: number; height: number}) {
    this.width = width;
    this.height = height;
  }

  write(x: number, y: number, text: string, {transformers}: {transformers: readonly Transformer[]}): void {
    if (text !== '') this.#operations.push({kind: 'write', x, y, text, transformers});
  }

  clip(clip: Clip): void {
    this.#operations.push({kind: 'clip', clip});
  }

  unclip(): void {
    this.#operations.push({kind: 'unclip'});
  }

  get(): {output: string; height: number} {
    const rows = this.#segments().map((segments, y) => {
      const previousRow = previous.rows[y];
      return previousRow !== undefined && isMadeOf(previousRow, segments, this.width)
        ? previousRow
        : composeRow(segments, this.width);
    });
    const isSame = rows.length === previous.rows.length && rows.every((row, y) => row === previous.rows[y]);
    if (!isSame || previous.output.startsWith(namePrefix) !== areFramesNamed) {
      previous = {rows, output: areFramesNamed ? `${namePrefix}${++framesNamed}` : rows.map(rowText).join('\n')};
    }
    return {output: previous.output, height: rows.length};
  }

  /** Returns the segments of each row in the order in which they are painted. */
  #segments(): Segment[][] {
    const rows: Segment[][] = Array.from({length: Math.max(0, Math.ceil(this.height))}, () => []);
    const clips: Clip[] = [];
    for (const operation of this.#operations) {
      const clip = clips.at(-1);
      if (operation.kind === 'clip') clips.push(intersectClips(clip, operation.clip));
      else if (operation.kind === 'unclip') clips.pop();
      else if (clip === undefined || !isEmptyClip(clip)) addSegments(rows, operation, clip);
    }
    return rows;
  }
}

function addSegments(rows: Segment[][], operation: Operation & {kind: 'write'}, clip: Clip | undefined): void {
  const {x, y, lines} =
    clip === undefined
      ? {x: operation.x, y: operation.y, lines: styledLines(operation.text).lines}
      : clippedLines(operation, clip);
  for (let index = 0; index < lines.length; index++) {
    const row = rows[y + index];
    if (row === undefined) continue;
    let line = lines[index] ?? '';
    for (const transform of operation.transformers) line = transform(line, index + y - operation.y);
    const cells = lineCells(line);
    if (cells.cells.length > 0) row.push({x, line: cells});
  }
}

/** The part of the screen that may be painted, without its far edges `x2` and `y2`. An undefined edge does not limit it. */
interface Clip {
  readonly x1: number | undefined;
  readonly x2: number | undefined;
  readonly y1: number | undefined;
  readonly y2: number | undefined;
}

/** Returns the part of the screen that both clips allow. */
function intersectClips(outer: Clip | undefined, inner: Clip): Clip {
  if (outer === undefined) return inner;
  return {
    x1: tighter(outer.x1, inner.x1, Math.max),
    x2: tighter(outer.x2, inner.x2, Math.min),
    y1: tighter(outer.y1, inner.y1, Math.max),
    y2: tighter(outer.y2, inner.y2, Math.min),
  };
}

function tighter(
  one: number | undefined,
  other: number | undefined,
  pick: (one: number, other: number) => number,
): number | undefined {
  if (one === undefined) return other;
  return other === undefined ? one : pick(one, other);
}

function isEmptyClip({x1, x2, y1, y2}: Clip): boolean {
  return (x1 !== undefined && x2 !== undefined && x1 >= x2) || (y1 !== undefined && y2 !== undefined && y1 >= y2);
}

interface TextLines {
  /** Each line opens the styles that earlier lines have left open. */
  readonly lines: readonly string[];
  /** The width of the widest line. */
  readonly width: number;
}

const linesByText = new LruCache<string, TextLines>(256 * 1024, ({lines}, text) =>
  lines.reduce((total, line) => total + textEntryBytes(line, ''), 2 * text.length),
);

/** Splits a text into lines. */
function styledLines(text: string): TextLines {
  return linesByText.getOrCompute(text, () => ({
    lines: splitLines(text),
    width: Math.max(0, ...text.split('\n').map((line) => lineCells(line).width)),
  }));
}

function splitLines(text: string): readonly string[] {
  const lines: Cell[][] = [[]];
  for (const cell of lineCells(text).cells) {
    if (cell.value === '\n') lines.push([]);
    else lines.at(-1)?.push(cell);
  }
  return lines.map((line) => cellsText(line));
}

interface ClippedText {
  readonly x: number;
  readonly y: number;
  readonly lines: readonly string[];
}

/** Returns the part of a text at a position that lies within the clip, and the position of that part. */
function clippedLines({x, y, text}: {x: number; y: number; text: string}, clip: Clip): ClippedText {
  const {x1, x2, y1, y2} = clip;
  const {lines, width} = styledLines(text);
  let clipped: ClippedText = {x, y, lines};
  if (x1 !== undefined && x2 !== undefined && (x < x1 || x + width > x2)) {
    if (x + width < x1 || x > x2) return {...clipped, lines: []};
    const from = Math.max(0, x1 - x);
    clipped = {
      ...clipped,
      x: Math.max(x, x1),
      lines: clipped.lines.map((line) => columnsOf(line, from, Math.min(lineCells(line).width, x2 - x))),
    };
  }
  if (y1 !== undefined && y2 !== undefined) {
    const {length} = clipped.lines;
    if (y + length < y1 || y > y2) return {...clipped, lines: []};
    clipped = {
      ...clipped,
      y: Math.max(y, y1),
      lines: clipped.lines.slice(Math.max(0, y1 - y), y + length > y2 ? y2 - y : length),
    };
  }
  return clipped;
}

const partsOfLines = new LruCache<string, string>(256 * 1024, textEntryBytes);

/** Returns the columns of a line from `from` up to but not including `to`. A wide character that is cut becomes a space. */
function columnsOf(line: string, from: number, to: number): string {
  if (from >= to) return '';
  const key = `${from} ${to} ${line}`;
  return partsOfLines.getOrCompute(key, () => cellsText(cellsWithin(lineCells(line).cells, from, to)));
}

function cellsWithin(cells: readonly Cell[], from: number, to: number): Cell[] {
  const within: Cell[] = [];
  let column = 0;
  for (const cell of cells) {
    const start = column;
    column += cell.width;
    if (column <= from) continue;
    if (start >= to) break;
    within.push(cell.width > 1 && (start < from || column > to) ? cell.style.cell(' ') : cell);
  }
  return within;
}

/** A line at a column of a row. Later segments of a row paint over earlier ones. */
interface Segment {
  readonly x: number;
  readonly line: LineCells;
}

/** A composed row of the screen. */
export interface ScreenRow {
  readonly segments: readonly Segment[];
  /** One cell for each column. */
  readonly cells: readonly Cell[];
  /** The rows of images that nothing covers; undefined when there are none. */
  readonly images: readonly RowImage[] | undefined;
}

/** A row of an image that is drawn over the cells. */
export interface RowImage extends ImageCellRow {
  readonly x: number;
}

function isMadeOf({segments, cells}: ScreenRow, others: readonly Segment[], width: number): boolean {
  return (
    cells.length === width &&
    segments.length === others.length &&
    segments.every(({x, line}, index) => others[index]?.x === x && others[index]?.line === line)
  );
}

function composeRow(segments: readonly Segment[], width: number): ScreenRow {
  const cells = blankCells(width).slice();
  for (const segment of segments) paintSegment(cells, segment);
  if (cells.length > width) cutOff(cells, width);
  const images = segments.some(({line}) => line.hasImages) ? rowImages(cells) : undefined;
  return {segments, cells, images};
}

/** Returns the text of a row, without blanks at its end. */
function rowText({cells}: ScreenRow): string {
  return cellsText(cells, visibleEnd(cells));
}

/** Returns the rows of images whose cells are all visible: a row that is covered in part is not drawn. */
function rowImages(cells: readonly Cell[]): readonly RowImage[] | undefined {
  const images: RowImage[] = [];
  for (let x = 0; x < cells.length; x++) {
    const value = cells[x]?.value ?? '';
    const found = isImageCell(value) ? imageCellRow(value) : undefined;
    if (found === undefined) continue;
    let end = x;
    while (cells[end]?.value === value) end++;
    // Several of the same emoji may stand side by side.
    const {columns} = found.image;
    if ((end - x) % columns === 0) for (let at = x; at < end; at += columns) images.push({...found, x: at});
    x = end - 1;
  }
  return images.length === 0 ? undefined : images;
}

/** Returns the row that shows one line of text. */
function textRow(text: string, width: number): ScreenRow {
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
function cellsText(cells: readonly Cell[], end: number = cells.length): string {
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
  if (one === other) return undefined;
  const end = Math.max(one.length, other.length);
  for (let at = start; at < end; at++) {
    if (!isSameCell(one[at] ?? blankCell, other[at] ?? blankCell)) return at;
  }
  return undefined;
}
