import {type AnsiCode, ansiCodesToString, diffAnsiCodes, reduceAnsiCodesIncremental} from '@alcalzone/ansi-tokenize';
import {textColumns} from '#content/styled-text/text-width.ts';
import {LruCache} from '#std/lru-cache.ts';
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
}

const maxSuccessors = 256;
const maxCells = 1024;

/** The style of a cell: colours, attributes, hyperlink. Each style caches its cells and the ways to other styles. */
export class CellStyle {
  readonly codes: AnsiCode[];
  readonly key: string;
  readonly #cells = new Map<string, Cell>();
  readonly #successors = new Map<string, CellStyle>();
  readonly #transitions = new WeakMap<CellStyle, string>();

  constructor(codes: AnsiCode[], key: string) {
    this.codes = codes;
    this.key = key;
  }

  cell(value: string): Cell {
    let cell = this.#cells.get(value);
    if (cell === undefined) {
      if (this.#cells.size > maxCells) this.#cells.clear();
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

  /** Returns the escape sequences to write between a cell of this style and a cell of the other. */
  transitionTo(other: CellStyle): string {
    if (other === this) return '';
    let transition = this.#transitions.get(other);
    if (transition === undefined) {
      transition = ansiCodesToString(transitionCodes(this.codes, other.codes));
      this.#transitions.set(other, transition);
    }
    return transition;
  }
}

const normalWeight = '\u001b[22m';

/** Returns the codes between two styles. Bold and faint end with the same code: where one ends, the other begins again. */
function transitionCodes(from: AnsiCode[], to: AnsiCode[]): AnsiCode[] {
  const codes = diffAnsiCodes(from, to);
  if (!codes.some(({code}) => code === normalWeight)) return codes;
  return [...codes, ...to.filter((code) => code.endCode === normalWeight && !codes.includes(code))];
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
  if (value === '' || value === '\n') return {value, width: 0, style, hasDoubtfulWidth: value !== ''};
  const simple = simpleWidth(value.codePointAt(0) ?? 0);
  if (simple > 0 && value.length === 1) return {value, width: simple, style, hasDoubtfulWidth: false};
  return {value, width: textColumns(value), style, hasDoubtfulWidth: true};
}

export function isSameCell(one: Cell, other: Cell): boolean {
  return one === other || (one.value === other.value && one.style.key === other.style.key);
}
