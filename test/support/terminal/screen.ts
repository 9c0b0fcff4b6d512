import type {Terminal as Emulator, IBufferCell} from '@xterm/headless';

/** A colour: the terminal's default, one of its 256, or an exact one. */
export type Colour = 'default' | number | `#${string}`;

export interface Cell {
  /** The character; empty where nothing was written, and in the second column of a wide character. */
  readonly chars: string;
  readonly width: number;
  readonly fg: Colour;
  readonly bg: Colour;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
  readonly strike: boolean;
  readonly invisible: boolean;
}

export interface CellPosition {
  readonly x: number;
  readonly y: number;
}

export interface Cursor extends CellPosition {
  readonly visible: boolean;
}

/** The content of a terminal at one moment. Cells are read on first use, or copied by `keep`. */
export class Screen {
  readonly cols: number;
  readonly rows: number;
  /** The lines, without trailing spaces. */
  readonly lines: readonly string[];
  readonly cursor: Cursor;
  readonly #emulator: Emulator;
  #cells: readonly (readonly Cell[])[] | undefined;

  constructor(emulator: Emulator, isCursorVisible: boolean) {
    this.#emulator = emulator;
    this.cols = emulator.cols;
    this.rows = emulator.rows;
    const {cursorX: x, cursorY: y} = emulator.buffer.active;
    this.cursor = {x, y, visible: isCursorVisible};
    this.lines = Array.from({length: this.rows}, (_, row) => textOf(emulator, row));
  }

  get text(): string {
    return this.lines.join('\n');
  }

  /** Copies the cells, so that the screen does not change with the terminal. */
  keep(): this {
    this.#rows();
    return this;
  }

  cell(x: number, y: number): Cell {
    const cell = this.#rows()[y]?.[x];
    if (cell === undefined) throw new Error(`${x},${y} is outside of ${this.cols}x${this.rows}.`);
    return cell;
  }

  /** Returns the cells of a row, left to right. */
  row(y: number): readonly Cell[] {
    return this.#rows()[y] ?? [];
  }

  /** Returns the position of a text, in cells: the first from the top. */
  find(text: string): CellPosition | undefined {
    for (const [y, cells] of this.#rows().entries()) {
      const columns: number[] = [];
      let line = '';
      for (const [x, {chars, width}] of cells.entries()) {
        if (width === 0) continue;
        const shown = chars === '' ? ' ' : chars;
        for (let unit = 0; unit < shown.length; unit++) columns.push(x);
        line += shown;
      }
      const at = line.indexOf(text);
      if (at !== -1) return {x: columns[at] ?? 0, y};
    }
    return undefined;
  }

  /** Returns the screen in a frame, with the position of the cursor, for a failing test. */
  printed(): string {
    const {cols, rows, cursor} = this;
    const rule = '─'.repeat(cols);
    const place = `${cols}x${rows}, cursor ${cursor.visible ? 'at' : 'hidden at'} ${cursor.x},${cursor.y}`;
    return [`┌${rule}┐`, ...this.lines.map((line) => `│${line}`), `└${rule}┘`, place].join('\n');
  }

  #rows(): readonly (readonly Cell[])[] {
    const {cols, rows} = this;
    this.#cells ??= Array.from({length: rows}, (_, y) =>
      Array.from({length: cols}, (_, x) => cellAt(this.#emulator, x, y)),
    );
    return this.#cells;
  }
}

/** Returns the current text of a row. */
export function textOf(emulator: Emulator, y: number): string {
  const {active} = emulator.buffer;
  return (
    active
      .getLine(active.baseY + y)
      ?.translateToString(false)
      .trimEnd() ?? ''
  );
}

/** Returns a current cell. */
export function cellAt(emulator: Emulator, x: number, y: number): Cell {
  const {active} = emulator.buffer;
  const cell = active.getLine(active.baseY + y)?.getCell(x);
  return cell === undefined ? blankCell : read(cell);
}

const blankCell: Cell = {
  chars: '',
  width: 1,
  fg: 'default',
  bg: 'default',
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  strike: false,
  invisible: false,
};

function read(cell: IBufferCell): Cell {
  const [chars, width] = [cell.getChars(), cell.getWidth()];
  if (cell.isAttributeDefault()) return {...blankCell, chars, width};
  return {
    chars,
    width,
    fg: cell.isFgDefault() ? 'default' : colour(cell.isFgRGB(), cell.getFgColor()),
    bg: cell.isBgDefault() ? 'default' : colour(cell.isBgRGB(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    inverse: cell.isInverse() !== 0,
    strike: cell.isStrikethrough() !== 0,
    invisible: cell.isInvisible() !== 0,
  };
}

function colour(isExact: boolean, value: number): Colour {
  return isExact ? `#${value.toString(16).padStart(6, '0')}` : value;
}
