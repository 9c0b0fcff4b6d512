import {type Cell, unstyled} from './cell-style.ts';
import {blankCells, rowsOfFrame, type ScreenRow} from './output.ts';
import {type ColumnRange, findScroll, Pen, type Scroll, scrolledCells, updateRow, writeWholeRow} from './row-update.ts';

interface CursorPosition {
  readonly x: number;
  readonly y: number;
  /** Whether the cursor is there without being seen. */
  readonly isHidden?: true | undefined;
  /** What a screen reader speaks. */
  readonly spoken?: SpokenRows | undefined;
}

/** Rows of a frame that are written for a screen reader, which speaks what is written. */
interface SpokenRows {
  /** When it changes, the rows are written again, also where they are the same. */
  readonly key: string;
  readonly y: number;
  readonly rows: number;
  /** The number of rows below them that are read after them. */
  readonly rowsAfter: number;
  /** The row in which only the changed cells are written. All others are written whole, so that no word is cut. */
  readonly editedRow?: number | undefined;
}

/** The part of a terminal's stream that is used here. */
interface TerminalStream {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
/** A terminal shows a shorter frame at once. In a longer one, the cursor would be seen at work. */
const longFrame = 512;

/** Draws the images of frames after their text. */
export interface FrameImages {
  /** Whether any image is on the terminal. */
  readonly hasDrawn: boolean;
  /** Called before rows are moved on the terminal. */
  beforeScroll(pen: Pen, scroll: Scroll): void;
  /** Brings the images on the terminal in line with the rows that were painted last. */
  draw(pen: Pen, rows: readonly ScreenRow[], painted: PaintedRows): void;
  /** It is not known any more what the terminal shows. */
  forget(): void;
}

/** What a frame has done to the screen. */
export interface PaintedRows {
  /** Whether everything was erased before. */
  readonly isErased: boolean;
  /** Whether anything was written or erased in these columns of a row. */
  isWritten(y: number, from: number, to: number): boolean;
}

/** A module variable, because there is one screen. Undefined where no images are shown. */
let frameImages: FrameImages | undefined;

export function setFrameImages(images: FrameImages | undefined): void {
  frameImages = images;
}

/**
 * Writes frames to the terminal. It replaces Ink's “log-update”, with the functions that Ink calls. Ink's assumes that the frame is
 * somewhere on the screen and moves the cursor relative to it; here the frame always begins in the first row of the screen.
 */
class FrameWriter {
  readonly #stream: TerminalStream;
  /** The frame that the terminal shows, and its height at that time; undefined when it is not known what it shows. */
  #shown: {readonly text: string; readonly rows: readonly ScreenRow[]; readonly height: number} | undefined;
  #shownCursor: CursorPosition | undefined;
  /** Undefined when it is not known. */
  #isCursorShown: boolean | undefined;
  #cursor: CursorPosition | undefined;
  #isCursorSet = false;

  constructor(stream: TerminalStream) {
    this.#stream = stream;
  }

  /** Ink sets the position before each frame that has a cursor. */
  setCursor(position: CursorPosition | undefined): void {
    this.#cursor = position;
    this.#isCursorSet = true;
  }

  get isCursorSet(): boolean {
    return this.#isCursorSet;
  }

  get shownCursor(): CursorPosition | undefined {
    return this.#shownCursor;
  }

  isChange(text: string): boolean {
    const cursor = this.#isCursorSet ? this.#cursor : undefined;
    const shown = this.#shownCursor;
    const isMoved =
      cursor?.x !== shown?.x ||
      cursor?.y !== shown?.y ||
      cursor?.isHidden !== shown?.isHidden ||
      cursor?.spoken?.key !== shown?.spoken?.key;
    return isMoved || text !== this.#shown?.text;
  }

  /** Writes a frame, and returns whether anything has changed. */
  show(text: string): boolean {
    const isChange = this.isChange(text);
    const cursor = this.#takeCursor();
    if (!isChange) return false;
    const pen = new Pen(this.#columns);
    const rows = text === this.#shown?.text ? this.#shown.rows : this.#rowsOf(text);
    this.#paint(pen, rows, cursor?.spoken);
    this.#shown = {text, rows, height: this.#height};
    this.#finish(pen, cursor);
    return true;
  }

  clear(): void {
    const pen = new Pen(this.#columns);
    pen.eraseScreen();
    this.#finish(pen, undefined);
    this.forget();
  }

  forget(): void {
    frameImages?.forget();
    this.#shown = undefined;
    this.#shownCursor = undefined;
  }

  /** Leaves the cursor visible below the frame. */
  end(): void {
    const pen = new Pen(this.#columns);
    if (this.#shown !== undefined) pen.moveTo(this.#shown.rows.length - 1, 0);
    this.#stream.write(pen.text + showCursor);
    this.#isCursorShown = true;
    this.forget();
  }

  get #columns(): number {
    return this.#stream.columns || 80;
  }

  get #height(): number {
    return this.#stream.rows || Number.POSITIVE_INFINITY;
  }

  #takeCursor(): CursorPosition | undefined {
    const cursor = this.#isCursorSet ? this.#cursor : undefined;
    this.#isCursorSet = false;
    return cursor;
  }

  /** Returns the rows of a frame that are on the screen. */
  #rowsOf(text: string): readonly ScreenRow[] {
    const rows = rowsOfFrame(text, this.#columns);
    return rows.length > this.#height ? rows.slice(0, this.#height) : rows;
  }

  #paint(pen: Pen, rows: readonly ScreenRow[], spoken: SpokenRows | undefined): void {
    const shown = this.#shown?.rows ?? [];
    const isSelected = spoken !== undefined && spoken.key !== this.#shownCursor?.spoken?.key;
    if (rows === shown && !isSelected) return;
    const blank = blankCells(this.#columns);
    const images = this.#imagesFor(rows);
    const written = new Map<number, ColumnRange[]>();
    let before: (readonly Cell[])[] = [];
    let isErased = false;
    // A terminal that loses or gains rows moves the others.
    if (shown[0]?.cells.length === this.#columns && this.#shown?.height === this.#height) {
      const scroll = findScroll(shown, rows);
      if (scroll !== undefined) images?.beforeScroll(pen, scroll);
      if (scroll !== undefined) pen.scroll(scroll.top, scroll.bottom, scroll.lines);
      before = scroll === undefined ? shown.map(({cells}) => cells) : scrolledCells(shown, scroll);
    } else {
      pen.eraseScreen();
      isErased = true;
    }
    const height = Math.max(rows.length, before.length);
    const order = spoken === undefined ? undefined : writingOrder(height, spoken);
    for (let at = 0; at < height; at++) {
      const y = order?.[at] ?? at;
      const old = before[y] ?? blank;
      const cells = rows[y]?.cells ?? blank;
      const isForced = isSelected && isSpokenRow(spoken, y);
      const isMinimal = spoken === undefined || (y === spoken.editedRow && !isForced);
      const ranges: ColumnRange[] | undefined = rows[y]?.images === undefined ? undefined : [];
      if (isMinimal) updateRow(pen, y, old, cells, ranges);
      else if (writeWholeRow(pen, y, old, cells, isForced)) ranges?.push([0, this.#columns]);
      if (ranges !== undefined) written.set(y, ranges);
    }
    const isWritten = (y: number, from: number, to: number) =>
      written.get(y)?.some(([start, end]) => start < to && from < end) === true;
    images?.draw(pen, rows, {isErased, isWritten});
  }

  /** Returns what draws images, if this frame or the one before has any. */
  #imagesFor(rows: readonly ScreenRow[]): FrameImages | undefined {
    if (frameImages === undefined) return undefined;
    return frameImages.hasDrawn || rows.some(({images}) => images !== undefined) ? frameImages : undefined;
  }

  /** Writes what the pen has collected and places the cursor, or hides it. */
  #finish(pen: Pen, cursor: CursorPosition | undefined): void {
    const isLong = pen.text.length > longFrame;
    pen.setStyle(unstyled);
    if (cursor !== undefined) {
      pen.moveTo(Math.min(cursor.y, this.#height - 1), Math.min(cursor.x, this.#columns - 1));
    }
    const isVisible = cursor !== undefined && cursor.isHidden !== true;
    const isHidden = !isVisible || (isLong && this.#isCursorShown === true);
    const isShown = isVisible && (isLong || this.#isCursorShown !== true);
    const before = isHidden && this.#isCursorShown !== false ? hideCursor : '';
    this.#stream.write(before + pen.text + (isShown ? showCursor : ''));
    this.#isCursorShown = isVisible;
    this.#shownCursor = cursor === undefined ? undefined : {...cursor};
  }
}

function isSpokenRow({y: first, rows}: SpokenRows, y: number): boolean {
  return y >= first && y < first + rows;
}

/** Returns the rows in the order in which they are written: what is selected comes last, or before what is read after it. */
function writingOrder(height: number, {y: first, rows: count, rowsAfter}: SpokenRows): readonly number[] {
  const rows = Array.from({length: height}, (_, y) => y);
  const isLate = (y: number) => y >= first && y < first + count + rowsAfter;
  return [...rows.filter((y) => !isLate(y)), ...rows.filter(isLate)];
}

/** The functions of Ink's “log-update” that Ink calls, by its names. A frame comes with a line break at its end. */
export const frameWriter = {
  create(stream: TerminalStream) {
    const writer = new FrameWriter(stream);
    return Object.assign((text: string) => writer.show(withoutBreak(text)), {
      clear: () => writer.clear(),
      done: () => writer.end(),
      reset: () => writer.forget(),
      setCursorPosition: (position: CursorPosition | undefined) => writer.setCursor(position),
      isCursorDirty: () => writer.isCursorSet,
      willRender: (text: string) => writer.isChange(withoutBreak(text)),
      getCursorPosition: () => writer.shownCursor,
    });
  },
};

function withoutBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
