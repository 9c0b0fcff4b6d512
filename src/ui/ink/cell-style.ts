import {
  type AnsiCode,
  ansiCodesToString,
  diffAnsiCodes,
  reduceAnsiCodesIncremental,
} from '@alcalzone/ansi-tokenize';
import {textColumns} from '#content/styled-text/text-width.ts';
import {LruCache} from '#std/lru-cache.ts';
import {simpleWidth} from './simple-width.ts';

/** One cell of the screen. Equal ones are mostly the same object: `isSameCell` is the truth. */
export interface Cell {
  /** A character as people see it; empty where the wide one before it reaches. */
  readonly value: string;
  /** As it is measured; 0 for what paints nothing of its own, though it has a cell. */
  readonly width: number;
  readonly style: CellStyle;
  /** Terminals may disagree about its width. */
  readonly hasDoubtfulWidth: boolean;
}

const mostSteps = 256;
const mostCells = 4096;

/** What is switched on at a cell: colours, attributes, a link. */
export class CellStyle {
  readonly codes: AnsiCode[];
  readonly key: string;
  readonly #cells = new Map<string, Cell>();
  readonly #steps = new Map<string, CellStyle>();
  readonly #turns = new WeakMap<CellStyle, string>();

  constructor(codes: AnsiCode[], key: string) {
    this.codes = codes;
    this.key = key;
  }

  cell(value: string): Cell {
    let cell = this.#cells.get(value);
    if (cell === undefined) {
      if (this.#cells.size > mostCells) this.#cells.clear();
      cell = cellOf(value, this);
      this.#cells.set(value, cell);
    }
    return cell;
  }

  /** The style after these codes, which `source` is the text of. */
  withCodes(source: string, codes: () => AnsiCode[]): CellStyle {
    let style = this.#steps.get(source);
    if (style === undefined) {
      if (this.#steps.size > mostSteps) this.#steps.clear();
      style = cellStyle(reduceAnsiCodesIncremental(this.codes, codes()));
      this.#steps.set(source, style);
    }
    return style;
  }

  /** What to write between a cell of this style and one of the other. */
  transitionTo(other: CellStyle): string {
    if (other === this) return '';
    let turn = this.#turns.get(other);
    if (turn === undefined) {
      turn = ansiCodesToString(turnBetween(this.codes, other.codes));
      this.#turns.set(other, turn);
    }
    return turn;
  }
}

const normalWeight = '\u001b[22m';

/** Bold and faint end with the same code: where one of them ends, the other has to begin again. */
function turnBetween(from: AnsiCode[], to: AnsiCode[]): AnsiCode[] {
  const turn = diffAnsiCodes(from, to);
  if (!turn.some(({code}) => code === normalWeight)) return turn;
  return [...turn, ...to.filter((code) => code.endCode === normalWeight && !turn.includes(code))];
}

export const unstyled = new CellStyle([], '');
export const blankCell = unstyled.cell(' ');

const styles = new LruCache<string, CellStyle>(1024);

export function cellStyle(codes: AnsiCode[]): CellStyle {
  if (codes.length === 0) return unstyled;
  const key = codes.map(({code}) => code).join('');
  let style = styles.get(key);
  if (style === undefined) {
    style = new CellStyle(codes, key);
    styles.set(key, style);
  }
  return style;
}

/**
 * As wide as lines are laid out for. Ink gives a syllable of several letters one column, though most terminals show the
 * letters beside each other: whatever came next would be painted over its end.
 */
function cellOf(value: string, style: CellStyle): Cell {
  if (value === '' || value === '\n') return {value, width: 0, style, hasDoubtfulWidth: value !== ''};
  const simple = simpleWidth(value.codePointAt(0) ?? 0);
  if (simple > 0 && value.length === 1) return {value, width: simple, style, hasDoubtfulWidth: false};
  return {value, width: textColumns(value), style, hasDoubtfulWidth: true};
}

export function isSameCell(one: Cell, other: Cell): boolean {
  return one === other || (one.value === other.value && one.style.key === other.style.key);
}
