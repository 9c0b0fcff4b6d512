/** A size in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** A size in cells of the terminal. */
export interface CellBox {
  readonly columns: number;
  readonly rows: number;
}

/** The size of a cell where the terminal does not say it. */
export const usualCell: PixelSize = {width: 8, height: 16};

/**
 * Returns the cells that an image of this size takes in a box, at least one. An image is never larger than its pixels, and keeps its
 * proportions.
 */
export function fitCells(image: PixelSize, box: CellBox, cell: PixelSize): CellBox {
  const columns = Math.max(1, image.width) / cell.width;
  const rows = Math.max(1, image.height) / cell.height;
  const scale = Math.min(1, box.columns / columns, box.rows / rows);
  const within = (size: number, most: number) => Math.max(1, Math.min(most, Math.round(size * scale)));
  return {columns: within(columns, box.columns), rows: within(rows, box.rows)};
}

/** Returns the largest size of the image in a rectangle of pixels, with its proportions; it is never enlarged beyond it. */
export function fitPixels(image: PixelSize, within: PixelSize): PixelSize {
  const scale = Math.min(within.width / image.width, within.height / image.height);
  const side = (size: number, most: number) => Math.max(1, Math.min(most, Math.round(size * scale)));
  return {width: side(image.width, within.width), height: side(image.height, within.height)};
}
