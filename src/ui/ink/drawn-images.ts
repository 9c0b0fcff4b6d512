import type {Clock} from '#std/clock.ts';
import {type DrawnProtocol, imageRow, isTextImage, removeRow} from '#terminal/images/encode-image.ts';
import type {FrameImages, PaintedRows} from './frame-writer.ts';
import type {Pen} from './pen.ts';
import type {RowImage, ScreenRow} from './screen-row.ts';

/** A row of an image at its place on the screen. */
interface PlacedRow extends RowImage {
  readonly y: number;
}

export interface DrawnImagesParts {
  readonly clock: Clock;
  /** Writes between frames. */
  readonly write: (text: string) => void;
}

/** Returns what draws images in this protocol after each frame; undefined where they are text. */
export function drawnImages(protocol: DrawnProtocol, parts: DrawnImagesParts): FrameImages | undefined {
  if (isTextImage({protocol})) return undefined;
  return protocol === 'kitty' ? new PlacedImages() : new PaintedImages(parts);
}

function rowsIn(rows: readonly ScreenRow[]): readonly PlacedRow[] {
  return rows.flatMap(({images}, y) => images?.map((image) => ({...image, y})) ?? []);
}

/** The placements of one image that are on the screen at the same time have different numbers, and so have its rows. */
const maxRows = 1000;

/** Images of kitty: each row is a placement, which text does not change. A placement that is placed again moves. */
class PlacedImages implements FrameImages {
  readonly canScroll = true;
  #placed = new Map<string, PlacedRow & {readonly placement: number}>();

  get hasDrawn(): boolean {
    return this.#placed.size > 0;
  }

  draw(pen: Pen, rows: readonly ScreenRow[], {isErased, hasScrolled}: PaintedRows): void {
    const before = this.#placed;
    this.#placed = new Map();
    for (const row of rowsIn(rows)) {
      let placement = row.row + 1;
      while (this.#placed.has(`${row.image.id} ${placement}`)) placement += maxRows;
      this.#placed.set(`${row.image.id} ${placement}`, {...row, placement});
    }
    for (const [key, {image, placement}] of before) if (!this.#placed.has(key)) pen.write(removeRow(image, placement));
    for (const [key, {image, row, x, y, placement}] of this.#placed) {
      const last = before.get(key);
      // Terminals differ in whether images move with the text.
      const isThere = !isErased && !hasScrolled && last?.image === image && last.x === x && last.y === y;
      if (!isThere) pen.draw(y, x, imageRow(image, row, placement));
    }
  }

  /** The placements stay known: those that the next frame does not have are removed. */
  forget(): void {}
}

/** After a frame with other images, the next one within this time is taken for scrolling: images are drawn when it stops. */
const scrollingMs = 150;
const [saveCursor, restoreCursor] = ['\u001b7', '\u001b8'];

/** Images of sixel and iTerm2: pixels in the cells, which text in the same cells removes. */
class PaintedImages implements FrameImages {
  /** Terminals differ in whether a moved row takes its pixels with it. */
  readonly canScroll = false;
  readonly #parts: DrawnImagesParts;
  #drawn = new Map<number, PlacedRow>();
  #isWaiting = false;
  #lastChange = Number.NEGATIVE_INFINITY;
  #cancel = () => {};

  constructor(parts: DrawnImagesParts) {
    this.#parts = parts;
  }

  get hasDrawn(): boolean {
    return this.#drawn.size > 0 || this.#isWaiting;
  }

  draw(pen: Pen, rows: readonly ScreenRow[], {isErased, written}: PaintedRows): void {
    const before = this.#drawn;
    this.#drawn = new Map();
    const missing: PlacedRow[] = [];
    for (const row of rowsIn(rows)) {
      const last = before.get(placeKey(row));
      const isThere = !isErased && !written.has(row.y) && last?.image === row.image && last.row === row.row;
      if (isThere) this.#drawn.set(placeKey(row), row);
      else missing.push(row);
    }
    this.#cancel();
    this.#isWaiting = missing.length > 0;
    if (missing.length === 0) return;
    const {clock, write} = this.#parts;
    const now = clock.monotonic();
    const isScrolling = now - this.#lastChange < scrollingMs;
    this.#lastChange = now;
    if (isScrolling) {
      this.#cancel = clock.after(scrollingMs, () => {
        write(`${saveCursor}${this.#drawRows(missing)}${restoreCursor}`);
      });
    } else {
      pen.write(this.#drawRows(missing));
    }
  }

  /** What was drawn may be erased by now; the next frame is painted on an empty screen. */
  forget(): void {
    this.#cancel();
    this.#isWaiting = false;
    this.#drawn.clear();
  }

  #drawRows(rows: readonly PlacedRow[]): string {
    this.#isWaiting = false;
    let text = '';
    for (const row of rows) {
      this.#drawn.set(placeKey(row), row);
      text += `\u001b[${row.y + 1};${row.x + 1}H${imageRow(row.image, row.row, 0)}`;
    }
    return text;
  }
}

function placeKey({x, y}: PlacedRow): number {
  return y * 0x10000 + x;
}
