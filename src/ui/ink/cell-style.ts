import {type AnsiCode, reduceAnsiCodesIncremental} from '@alcalzone/ansi-tokenize';
import {clusterWidthsVersion, textColumns} from '#content/styled-text/text-width.ts';
import {LruCache} from '#std/lru-cache.ts';
import {isImageCell} from './image-cells.ts';
import {simpleWidth} from './simple-width.ts';

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
export function cellStyle(codes: AnsiCode[]): CellStyle {
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
    const [parameter, end] = [sgrParameter(code.code), sgrParameter(code.endCode)];
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
    const [before, after] = [from.get(end) ?? [], to.get(end) ?? []];
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
