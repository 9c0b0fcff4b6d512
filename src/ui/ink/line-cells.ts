import {type AnsiCode, tokenize} from '@alcalzone/ansi-tokenize';
import {clusterWidthsVersion} from '#content/styled-text/text-width.ts';
import {type Cell, type CellStyle, isImageCell, simpleWidth, unstyled} from './cell-style.ts';

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
let recent = new Map<string, LineCells>();
let older = new Map<string, LineCells>();

/** The way of measuring that these lines' cells are from. */
let measuredVersion = 0;

/** Returns the cells of a line, one per character: columns that a wide character covers have no cell here. */
export function lineCells(line: string): LineCells {
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

function hasImageCells(cells: readonly Cell[]): boolean {
  return cells.some(({value}) => isImageCell(value));
}
