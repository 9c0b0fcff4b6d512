import {type AnsiCode, reduceAnsiCodesIncremental} from '@alcalzone/ansi-tokenize';
import {firstImageCell} from '#content/styled-text/sanitize-text.ts';
import {clusterWidthsVersion, textColumns, wideRanges} from '#content/styled-text/text-width.ts';
import {LruCache} from '#std/lru-cache.ts';
import type {EncodedImage} from '#terminal/images/encode-image.ts';

/** One cell of the screen. Equal cells are mostly, but not always, the same object: compare them with `isSameCell`. */
export interface Cell {
  /** A grapheme; empty in the columns that the wide character before it covers. */
  readonly value: string;
  /** The columns that it takes by our measure; 0 for characters that paint nothing but have a cell. */
  readonly width: number;
  readonly style: CellStyle;
  /** Terminals may disagree about the width of this character. */
  readonly hasDoubtfulWidth: boolean;
  /** It looks like an erased cell: a space in a style that changes only how characters look. */
  readonly isBlank: boolean;
}

const maxSuccessors = 256;
const maxCells = 1024;

/** The style of a cell: colours, attributes, hyperlink. Each style caches its cells and the ways to other styles. */
export class CellStyle {
  readonly codes: AnsiCode[];
  readonly key: string;
  readonly #cells = new Map<string, Cell>();
  /** The way of measuring that the cells are from. */
  #version = clusterWidthsVersion();
  readonly #successors = new Map<string, CellStyle>();
  readonly #transitions = new WeakMap<CellStyle, StyleTransition>();
  readonly #parts: StyleParts;
  /** Whether the style is visible on a space: a background, a line, a link. */
  readonly showsOnBlanks: boolean;

  constructor(codes: AnsiCode[], key: string) {
    this.codes = codes;
    this.key = key;
    this.#parts = styleParts(codes);
    this.showsOnBlanks = showsOnBlanks(this.#parts);
  }

  cell(value: string): Cell {
    let cell = this.#cells.get(value);
    if (cell === undefined || (cell.hasDoubtfulWidth && this.#version !== clusterWidthsVersion())) {
      if (this.#cells.size > maxCells || this.#version !== clusterWidthsVersion()) this.#cells.clear();
      this.#version = clusterWidthsVersion();
      cell = makeCell(value, this);
      this.#cells.set(value, cell);
    }
    return cell;
  }

  /** Returns the style after `codes`, which are parsed from `source` only when it is new. */
  withCodes(source: string, codes: () => AnsiCode[]): CellStyle {
    let style = this.#successors.get(source);
    if (style === undefined) {
      if (this.#successors.size > maxSuccessors) this.#successors.clear();
      style = cellStyle(reduceAnsiCodesIncremental(this.codes, codes()));
      this.#successors.set(source, style);
    }
    return style;
  }

  /** Returns the escape sequences between a cell of this style and a cell of the other. */
  transitionTo(other: CellStyle): StyleTransition {
    let transition = this.#transitions.get(other);
    if (transition === undefined) {
      const [from, to] = [this.#parts, other.#parts];
      transition = {short: shortTransition(from, to), readable: readableTransition(from, to)};
      this.#transitions.set(other, transition);
    }
    return transition;
  }
}

interface StyleTransition {
  /** For the terminal. */
  readonly short: string;
  /** For text that is read again. */
  readonly readable: string;
}

export const unstyled = new CellStyle([], '');
export const blankCell = unstyled.cell(' ');

const styles = new LruCache<string, CellStyle>(256);

/** Returns the style that these codes switch on; mostly the same object for the same codes. */
function cellStyle(codes: AnsiCode[]): CellStyle {
  if (codes.length === 0) return unstyled;
  const key = codes.map(({code}) => code).join('');
  return styles.getOrCompute(key, () => new CellStyle(codes, key));
}

/**
 * Returns a cell as wide as the line layout assumes (`textColumns`). Ink gives a syllable of several letters one column, but
 * most terminals show the letters beside each other: the next character would be painted over its end.
 */
function makeCell(value: string, style: CellStyle): Cell {
  if (value === '' || value === '\n') return {value, width: 0, style, hasDoubtfulWidth: value !== '', isBlank: false};
  const isBlank = (value === ' ' || value === '\u00a0') && !style.showsOnBlanks;
  const simple = simpleWidth(value.codePointAt(0) ?? 0);
  if (simple > 0 && (value.length === 1 || isImageCell(value)))
    return {value, width: simple, style, hasDoubtfulWidth: false, isBlank};
  return {value, width: textColumns(value), style, hasDoubtfulWidth: true, isBlank};
}

export function isSameCell(one: Cell, other: Cell): boolean {
  return (
    one === other || (one.isBlank ? other.isBlank : one.value === other.value && one.style.key === other.style.key)
  );
}

/** The codes of a style by the parameter that ends them, and its hyperlink. */
interface StyleParts {
  /** SGR parameters, such as `31` or `38;5;200`, by the parameter that ends them. Bold and faint have the same end. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  readonly link: AnsiCode | undefined;
}

function styleParts(codes: readonly AnsiCode[]): StyleParts {
  const attributes = new Map<string, string[]>();
  let link: AnsiCode | undefined;
  for (const code of codes) {
    const parameter = sgrParameter(code.code);
    const end = sgrParameter(code.endCode);
    if (parameter === undefined || end === undefined) link = code;
    else attributes.set(end, [...(attributes.get(end) ?? []), parameter]);
  }
  return {attributes, link};
}

/** The ends of attributes that change only characters: weight, slant, visibility and colour. */
const invisibleOnBlanks = new Set(['22', '23', '28', '39']);

function showsOnBlanks({attributes, link}: StyleParts): boolean {
  return link !== undefined || [...attributes.keys()].some((end) => !invisibleOnBlanks.has(end));
}

function sgrParameter(code: string): string | undefined {
  return /^(?:\u001b\[|\u009b)([\d;:]+)m$/.exec(code)?.[1];
}

/** Returns the shortest sequences that change one style into another in a terminal. */
function shortTransition(from: StyleParts, to: StyleParts): string {
  const link = from.link?.code === to.link?.code ? '' : (to.link?.code ?? from.link?.endCode ?? '');
  const changed = changedParameters(from.attributes, to.attributes);
  const anew = to.attributes.size === 0 ? '' : newParameters(to.attributes);
  const isShorter = changed !== undefined && changed.length < anew.length;
  return link + (changed === '' ? '' : `\u001b[${isShorter ? changed : anew}m`);
}

/** Returns sequences that change one style into another and that Ink's tokenizer can read: it knows no empty reset. */
function readableTransition(from: StyleParts, to: StyleParts): string {
  const link = from.link?.code === to.link?.code ? '' : (from.link?.endCode ?? '') + (to.link?.code ?? '');
  const parameters = changedParameters(from.attributes, to.attributes) ?? newParameters(to.attributes);
  return link + (parameters === '' ? '' : `\u001b[${parameters}m`);
}

/** The parameter that ends everything; also the end of parameters that have none of their own. */
const reset = '0';
/** The end of both bold and faint. */
const normalWeight = '22';

/** Returns the parameters that change only what differs; undefined when a reset is needed. */
function changedParameters(from: StyleParts['attributes'], to: StyleParts['attributes']): string | undefined {
  const parameters: string[] = [];
  for (const end of new Set([...from.keys(), ...to.keys()])) {
    const before = from.get(end) ?? [];
    const after = to.get(end) ?? [];
    const isRemoved = before.some((parameter) => !after.includes(parameter));
    if (isRemoved && end === reset) return undefined;
    if (isRemoved && (after.length === 0 || end === normalWeight)) parameters.push(end, ...after);
    else if (isRemoved) parameters.push(...after);
    else parameters.push(...after.filter((parameter) => !before.includes(parameter)));
  }
  return parameters.join(';');
}

function newParameters(to: StyleParts['attributes']): string {
  return [reset, ...[...to.values()].flat()].join(';');
}

/**
 * Returns the columns of a simple code point: one that is always a whole character next to other simple ones, because it
 * joins neither the code point before it nor the one after it. Returns 0 for all others. A line of simple code points needs
 * neither a segmenter, which takes 20 ms to load, nor the pattern of all emoji, which takes 30 ms.
 */
export function simpleWidth(point: number): 0 | 1 | 2 {
  if (point >= firstImageCell) return 1;
  return point > 0xffff ? emojiWidth(point) : unitWidth(point);
}

function unitWidth(unit: number): 0 | 1 | 2 {
  if (unit < 0x7f) return unit >= 0x20 ? 1 : 0;
  if (unit < 0x300) return unit >= 0xa0 && unit !== 0xad ? 1 : 0;
  if (unit < 0x2500) return isNarrowSymbol(unit) ? 1 : 0;
  if (unit < 0x2600) return unit === 0x25fd || unit === 0x25fe ? 0 : 1;
  if (unit < 0x3000) return isNarrowMark(unit) ? 1 : 0;
  return isWide(unit) ? 2 : 0;
}

/** Stars, ticks, crosses, pens, braille and more arrows, as far as no terminal shows them as emoji. */
function isNarrowMark(unit: number): boolean {
  return (
    (unit >= 0x2605 && unit <= 0x260d) ||
    (unit >= 0x2717 && unit <= 0x271c) ||
    (unit >= 0x2722 && unit <= 0x2727) ||
    (unit >= 0x2765 && unit <= 0x2794) ||
    (unit >= 0x2798 && unit <= 0x27a0) ||
    (unit >= 0x27c0 && unit <= 0x2933) ||
    (unit >= 0x2936 && unit <= 0x2b04) ||
    unit === 0x2610 ||
    unit === 0x270e ||
    unit === 0x2713 ||
    unit === 0x2715
  );
}

/** Greek, Cyrillic and Hebrew letters, Latin with more accents, punctuation, arrows and mathematics. */
function isNarrowSymbol(unit: number): boolean {
  return (
    (unit >= 0x370 && unit <= 0x482) ||
    (unit >= 0x48a && unit <= 0x58f) ||
    (unit >= 0x5d0 && unit <= 0x5ea) ||
    (unit >= 0x1e00 && unit <= 0x1fff) ||
    (unit >= 0x2010 && unit <= 0x2027) ||
    (unit >= 0x2030 && unit <= 0x205e) ||
    (unit >= 0x2070 && unit <= 0x209c) ||
    (unit >= 0x20a0 && unit <= 0x20c0) ||
    (unit >= 0x2100 && unit <= 0x2319)
  );
}

/** Kana, ideographs, Hangul syllables and the full-width forms. */
function isWide(unit: number): boolean {
  return (
    (unit >= 0x3001 && unit <= 0x3029) ||
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x309b && unit <= 0x30ff) ||
    (unit >= 0x3400 && unit <= 0x4dbf) ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3) ||
    (unit >= 0xff01 && unit <= 0xff60)
  );
}

const [firstEmoji, lastEmoji] = [0x1f300, 0x1faff];
let wideEmoji: Uint8Array | undefined;

/** Returns 2 for an emoji of two columns. Skin tones are not simple: they join the emoji before them. */
function emojiWidth(point: number): 0 | 2 {
  if (point < firstEmoji || point > lastEmoji || (point >= 0x1f3fb && point <= 0x1f3ff)) return 0;
  wideEmoji ??= wideFlags(firstEmoji, lastEmoji);
  return wideEmoji[point - firstEmoji] === 1 ? 2 : 0;
}

function wideFlags(first: number, last: number): Uint8Array {
  const wide = new Uint8Array(last - first + 1);
  for (let at = 0; at < wideRanges.length; at += 2) {
    const [from = 0, to = 0] = [wideRanges[at], wideRanges[at + 1]];
    if (to >= first && from <= last) wide.fill(1, Math.max(0, from - first), to - first + 1);
  }
  return wide;
}

/**
 * The cells of images, which are drawn after the text of a frame. In the frame, every row of an image is a run of one private character,
 * so overlays cover it and lines move it like any text. The output stage writes blanks for it and knows from the final rows
 * which rows of which image are visible where.
 */

/** A range of characters. Each image has as many as it may have rows. */
interface CellRange {
  readonly first: number;
  readonly maxRows: number;
  /** The images that have characters. With more, the oldest ones lose theirs and get new ones with their next paint. */
  readonly maxImages: number;
  readonly images: (WeakRef<EncodedImage> | undefined)[];
  next: number;
}

const tall: CellRange = {first: firstImageCell, maxRows: 256, maxImages: 192, images: [], next: 0};
/** Emoji: all are equally wide, so that one with the characters of another would be drawn in its place. */
const flat: CellRange = {first: firstImageCell + 192 * 256, maxRows: 1, maxImages: 8192, images: [], next: 0};

const numbers = new WeakMap<EncodedImage, number>();

export interface ImageCellRow {
  readonly image: EncodedImage;
  readonly row: number;
}

/** Returns the text whose cells are a row of an image. */
export function imageCells(image: EncodedImage, row: number): string {
  const range = image.rows === 1 ? flat : tall;
  let number = numbers.get(image);
  if (number === undefined || range.images[number]?.deref() !== image) {
    number = range.next;
    range.next = (number + 1) % range.maxImages;
    range.images[number] = new WeakRef(image);
    numbers.set(image, number);
  }
  return String.fromCodePoint(range.first + number * range.maxRows + row).repeat(image.columns);
}

/** Whether the value of a cell is such a character. */
export function isImageCell(value: string): boolean {
  return value.length === 2 && value >= '\udbc0' && value < '\udc00';
}

/** Returns the row of an image that a cell belongs to; undefined when the image is gone. */
export function imageCellRow(value: string): ImageCellRow | undefined {
  const point = value.codePointAt(0) ?? 0;
  const {first, maxRows, images} = point < flat.first ? tall : flat;
  const image = images[Math.floor((point - first) / maxRows)]?.deref();
  return image === undefined ? undefined : {image, row: (point - first) % maxRows};
}
