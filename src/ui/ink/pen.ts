import {type Cell, type CellStyle, unstyled} from './cell-style.ts';
import {isImageCell} from './image-cells.ts';

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
