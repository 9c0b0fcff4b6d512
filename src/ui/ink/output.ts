import {type AnsiCode, tokenize} from '@alcalzone/ansi-tokenize';
import {clusterWidthsVersion} from '#content/styled-text/text-width.ts';
import {LruCache, textEntryBytes} from '#std/lru-cache.ts';
import {
  blankCell,
  type Cell,
  type CellStyle,
  type ImageCellRow,
  imageCellRow,
  isImageCell,
  isSameCell,
  simpleWidth,
  unstyled,
} from './cell-style.ts';

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

/** Returns the rows of a frame's text: those that were composed for the last frame, if it is that one. */
export function rowsOfText(text: string, width: number): readonly ScreenRow[] {
  const isLast = text === previous.output && previous.rows[0]?.cells.length === width;
  return isLast ? previous.rows : text.split('\n').map((line) => textRow(line, width));
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
    if (!isSame) previous = {rows, output: rows.map(({text}) => text).join('\n')};
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

/** The cells of a line. It is the same object for the same text while in use, so that rows are compared by identity. */
export interface LineCells {
  readonly cells: readonly Cell[];
  /** The sum of the cells' columns. */
  readonly width: number;
  readonly hasImages: boolean;
}

/** The lines of some ten screens. */
const maxLines = 512;
/**
 * The lines that were used last, and those before them. Lines on screen are used in every frame, so they are never dropped.
 * Every line of every frame is looked up: a cache that notes the order of uses would take a tenth of a frame's time.
 */
let [recent, older] = [new Map<string, LineCells>(), new Map<string, LineCells>()];

/** The way of measuring that these lines' cells are from. */
let measuredVersion = 0;

/** Returns the cells of a line, one per character: columns that a wide character covers have no cell here. */
function lineCells(line: string): LineCells {
  if (measuredVersion !== clusterWidthsVersion()) {
    measuredVersion = clusterWidthsVersion();
    [recent, older] = [new Map(), new Map()];
  }
  const known = recent.get(line);
  if (known !== undefined) return known;
  const cells = older.get(line) ?? simpleCells(line) ?? tokenizedCells(line);
  if (recent.size >= maxLines) [recent, older] = [new Map(), recent];
  recent.set(line, cells);
  return cells;
}

/** Matches colours and links as Parley writes them; the tokenizer that Ink uses reads everything else. */
const styleSequence = /\u001b(?:\[([\d;]*)m|\]8;[^;\u0007\u001b\u009c]*;[^\u0007\u001b\u009c]*(\u0007|\u001b\\))/y;

const lineFeed = 0x0a;

/** Returns the cells of a line of simple characters; undefined when one may join with its neighbours or is no text. */
function simpleCells(line: string): LineCells | undefined {
  const cells: Cell[] = [];
  let width = 0;
  let style = unstyled;
  for (let at = 0; at < line.length; at++) {
    const unit = line.charCodeAt(at);
    if (unit === 0x1b) {
      styleSequence.lastIndex = at;
      const match = styleSequence.exec(line);
      const next = match === null ? undefined : styleAfter(style, match);
      if (match === null || next === undefined) return undefined;
      style = next;
      at += match[0].length - 1;
      continue;
    }
    const isPair = unit >= 0xd800 && unit < 0xdc00;
    const columns = simpleWidth(isPair ? (line.codePointAt(at) ?? 0) : unit);
    if (columns === 0 && unit !== lineFeed) return undefined;
    cells.push(style.cell(isPair ? line.slice(at, at + 2) : line.charAt(at)));
    width += columns;
    if (isPair) at++;
  }
  return {cells, width, hasImages: hasImageCells(cells)};
}

function styleAfter(style: CellStyle, [source, parameters, terminator]: RegExpExecArray): CellStyle | undefined {
  if (parameters === undefined) {
    return style.withCodes(source, () => [{type: 'ansi', code: source, endCode: `\u001b]8;;${terminator ?? ''}`}]);
  }
  const codes = sgrCodes(parameters);
  return codes === undefined ? undefined : style.withCodes(source, () => codes);
}

const sgrCache = new Map<string, AnsiCode[] | undefined>();

function sgrCodes(parameters: string): AnsiCode[] | undefined {
  if (!sgrCache.has(parameters)) {
    if (sgrCache.size > 1024) sgrCache.clear();
    sgrCache.set(parameters, parsedSgr(parameters));
  }
  return sgrCache.get(parameters);
}

/** Returns each attribute with the code that ends it; undefined when one is unknown. */
function parsedSgr(parameters: string): AnsiCode[] | undefined {
  const codes: AnsiCode[] = [];
  const attribute = /(?:^|;)((?:38|48);(?:5;\d+|2;\d+;\d+;\d+)|\d+)(?=;|$)/y;
  while (attribute.lastIndex < parameters.length) {
    const match = attribute.exec(parameters);
    const parameter = match?.[1] ?? '';
    const end = endCodeOf(parameter);
    if (match === null || end === undefined) return undefined;
    codes.push({type: 'ansi', code: `\u001b[${parameter}m`, endCode: `\u001b[${end}m`});
  }
  return codes.length === 0 ? undefined : codes;
}

function endCodeOf(parameter: string): number | undefined {
  if (parameter.length > 3) return parameter.startsWith('38;') ? 39 : 49;
  const number = Number(parameter);
  if (String(number) !== parameter) return undefined;
  if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97)) return 39;
  if ((number >= 40 && number <= 47) || (number >= 100 && number <= 107)) return 49;
  return endCodes.get(number);
}

const endCodes = new Map([
  [1, 22],
  [2, 22],
  ...[3, 4, 7, 8, 9].map((attribute): [number, number] => [attribute, attribute + 20]),
  ...[22, 23, 24, 27, 28, 29, 39, 49].map((end): [number, number] => [end, end]),
]);

const isolate = /^[\u2066-\u2069]$/;

/**
 * Returns the cells as Ink reads them: a character that has no width in any terminal gets no cell. Isolates, which only Parley
 * writes, are added to the cell before them: a terminal that gives them a column shows it under the next cell.
 */
function tokenizedCells(line: string): LineCells {
  const cells: Cell[] = [];
  let style = unstyled;
  for (const token of tokenize(line)) {
    const last = cells.at(-1);
    if (token.type === 'ansi') style = style.withCodes(token.code, () => [token]);
    else if (token.type === 'char' && isolate.test(token.value)) {
      if (last !== undefined) cells[cells.length - 1] = last.style.cell(last.value + token.value);
    } else if (token.type === 'char') {
      for (const value of clusters(token.value)) if (!isInvisible.test(value)) cells.push(style.cell(value));
    }
  }
  return {cells, width: cells.reduce((sum, {width}) => sum + width, 0), hasImages: hasImageCells(cells)};
}

const isInvisible = /^\p{Default_Ignorable_Code_Point}*$/u;

/** Returns a cell of an image apart from what would join it if it were text, such as a skin tone. */
function clusters(value: string): readonly string[] {
  return isImageCell(value.slice(0, 2)) ? [value.slice(0, 2), value.slice(2)] : [value];
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
  /** The text of the row, without blanks at its end. */
  readonly text: string;
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
  return {segments, cells, text: cellsText(cells, visibleEnd(cells)), images};
}

function hasImageCells(cells: readonly Cell[]): boolean {
  return cells.some(({value}) => isImageCell(value));
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
  const end = Math.max(one.length, other.length);
  for (let at = start; at < end; at++) {
    if (!isSameCell(one[at] ?? blankCell, other[at] ?? blankCell)) return at;
  }
  return undefined;
}
