import type {Clock} from '#std/clock.ts';
import {type DrawnProtocol, imageRow, isTextImage, removeRow} from '#terminal/images/encode-image.ts';
import {isImageCell} from './cell-style.ts';
import type {FrameImages, PaintedRows} from './frame-writer.ts';
import type {RowImage, ScreenRow} from './output.ts';
import type {Pen, Scroll} from './row-update.ts';

/** A row of an image at its place on the screen. */
interface PlacedRow extends RowImage {
  readonly y: number;
}

interface DrawnImagesParts {
  readonly clock: Clock;
  /** Writes between frames. */
  readonly write: (text: string) => void;
}

/** Returns what draws images in this protocol after each frame. */
export function drawnImages(protocol: DrawnProtocol, parts: DrawnImagesParts): FrameImages {
  if (protocol === 'kitty') return new PlacedImages();
  return isTextImage({protocol}) ? new TextImages() : new PixelImages(parts);
}

function rowsIn(rows: readonly ScreenRow[]): readonly PlacedRow[] {
  return rows.flatMap(({images}, y) => images?.map((image) => ({...image, y})) ?? []);
}

/** The placements of one image that are on the screen at the same time have different numbers, and so have its rows. */
const maxRows = 1000;

/** Images of kitty: each row is a placement, which text does not change. A placement that is placed again moves. */
class PlacedImages implements FrameImages {
  #placed = new Map<string, PlacedRow & {readonly placement: number}>();
  #hasScrolled = false;

  get hasDrawn(): boolean {
    return this.#placed.size > 0;
  }

  /** Terminals differ in whether placements move with the text: all are placed again. */
  beforeScroll(): void {
    this.#hasScrolled = true;
  }

  draw(pen: Pen, rows: readonly ScreenRow[], {isErased}: PaintedRows): void {
    const before = this.#placed;
    const isUnknown = isErased || this.#hasScrolled;
    this.#hasScrolled = false;
    this.#placed = new Map();
    const counts = new Map<string, number>();
    for (const row of rowsIn(rows)) {
      const count = counts.get(`${row.image.id} ${row.row}`) ?? 0;
      counts.set(`${row.image.id} ${row.row}`, count + 1);
      const placement = row.row + 1 + count * maxRows;
      this.#placed.set(`${row.image.id} ${placement}`, {...row, placement});
    }
    for (const [key, {image, placement}] of before) if (!this.#placed.has(key)) pen.write(removeRow(image, placement));
    for (const [key, {image, row, x, y, placement}] of this.#placed) {
      const last = before.get(key);
      const isThere = !isUnknown && last?.image === image && last.x === x && last.y === y;
      if (!isThere) pen.draw(y, x, imageRow(image, row, placement));
    }
  }

  /** The placements stay known: those that the next frame does not have are removed. */
  forget(): void {}
}

/** Images that are in the cells, so that text in the same cells removes them. */
abstract class CellImages implements FrameImages {
  protected drawn: ReadonlyMap<number, PlacedRow> = new Map();

  get hasDrawn(): boolean {
    return this.drawn.size > 0;
  }

  abstract beforeScroll(pen: Pen, scroll: Scroll): void;

  /** Draws rows that the terminal does not show. */
  protected abstract drawMissing(pen: Pen, missing: readonly PlacedRow[]): void;

  draw(pen: Pen, rows: readonly ScreenRow[], {isErased, isWritten}: PaintedRows): void {
    const before = this.drawn;
    const drawn = new Map<number, PlacedRow>();
    const missing: PlacedRow[] = [];
    for (const row of rowsIn(rows)) {
      const last = isErased ? undefined : before.get(placeKey(row));
      const isThere = last?.image === row.image && last.row === row.row;
      if (isThere && !isWritten(row.y, row.x, row.x + row.image.columns)) drawn.set(placeKey(row), row);
      else missing.push(row);
    }
    this.drawn = drawn;
    for (const [key, row] of before) if (!isErased && !drawn.has(key)) blankCovered(pen, row, rows[row.y]);
    this.drawMissing(pen, missing);
  }

  /** What was drawn may be erased by now; the next frame is painted on an empty screen. */
  forget(): void {
    this.drawn = new Map();
  }

  protected drawRows(pen: {draw(y: number, x: number, sequence: string): void}, rows: readonly PlacedRow[]): void {
    this.drawn = new Map([...this.drawn, ...rows.map((row) => [placeKey(row), row] as const)]);
    for (const {image, row, x, y} of rows) pen.draw(y, x, imageRow(image, row, 0));
  }
}

/** Blanks what is left of a row beside an overlay that covers it in part. */
function blankCovered(pen: Pen, {x, y, image}: PlacedRow, row: ScreenRow | undefined): void {
  for (let at = x; at < x + image.columns; at++) {
    if (isImageCell(row?.cells[at]?.value ?? '')) pen.draw(y, at, ' ');
  }
}

function placeKey({x, y}: Pick<PlacedRow, 'x' | 'y'>): number {
  return y * 0x10000 + x;
}

/** Images of half blocks and of kitty's placeholders. Their rows move with the others. */
class TextImages extends CellImages {
  beforeScroll(_pen: Pen, {top, bottom, lines}: Scroll): void {
    const moved = [...this.drawn.values()].flatMap((row) => {
      if (row.y < top || row.y >= bottom) return [row];
      const y = row.y - lines;
      return y < top || y >= bottom ? [] : [{...row, y}];
    });
    this.drawn = new Map(moved.map((row) => [placeKey(row), row]));
  }

  protected drawMissing(pen: Pen, missing: readonly PlacedRow[]): void {
    if (missing.length > 0) this.drawRows(pen, missing);
  }
}

/** A frame with other images that follows another one within this time is taken for scrolling: they are drawn when it stops. */
const scrollingMs = 150;
const [saveCursor, restoreCursor] = ['\u001b7', '\u001b8'];

/** Images of sixel and iTerm2: many bytes, which the terminal draws as pixels. */
class PixelImages extends CellImages {
  readonly #parts: DrawnImagesParts;
  #lastChange = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(parts: DrawnImagesParts) {
    super();
    this.#parts = parts;
  }

  override get hasDrawn(): boolean {
    return super.hasDrawn || this.#cancel !== undefined;
  }

  /** Terminals differ in whether pixels move with the text, so they are erased. */
  beforeScroll(pen: Pen, {top, bottom}: Scroll): void {
    const left = new Map(this.drawn);
    for (const [key, {image, x, y}] of this.drawn) {
      if (y < top || y >= bottom) continue;
      pen.draw(y, x, ' '.repeat(image.columns));
      left.delete(key);
    }
    this.drawn = left;
  }

  protected drawMissing(pen: Pen, missing: readonly PlacedRow[]): void {
    this.#stop();
    if (missing.length === 0) return;
    const {clock, write} = this.#parts;
    const now = clock.monotonic();
    const isScrolling = now - this.#lastChange < scrollingMs;
    this.#lastChange = now;
    if (!isScrolling) {
      this.drawRows(pen, missing);
      return;
    }
    this.#cancel = clock.after(scrollingMs, () => {
      this.#cancel = undefined;
      let text = '';
      this.drawRows({draw: (y, x, sequence) => (text += `\u001b[${y + 1};${x + 1}H${sequence}`)}, missing);
      write(`${saveCursor}${text}${restoreCursor}`);
    });
  }

  override forget(): void {
    super.forget();
    this.#stop();
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
