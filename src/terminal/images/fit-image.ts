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

/**
 * Returns the size that an image has in the grid of pixels of a box, with its proportions. A pixel of the grid may be higher than wide:
 * half a cell is.
 */
export function fitGrid(image: PixelSize, {columns, rows}: CellBox, cell: PixelSize, grid: PixelSize): PixelSize {
  const width = columns * cell.width;
  const height = rows * cell.height;
  const scale = Math.min(width / image.width, height / image.height);
  const side = (part: number, most: number) => Math.max(1, Math.min(most, Math.round(part * most)));
  return {
    width: side((image.width * scale) / width, grid.width),
    height: side((image.height * scale) / height, grid.height),
  };
}
