import {firstImageCell} from '#content/styled-text/sanitize-text.ts';
import type {EncodedImage} from '#terminal/images/encode-image.ts';

/**
 * The cells of images, which are drawn after the text of a frame. In the frame, every row of an image is a run of one private character,
 * so overlays cover it and lines move it like any text. The output stage writes blanks for it and knows from the final rows
 * which rows of which image are visible where.
 */

/** Each image has as many characters as it may have rows. */
const maxRows = 256;
/** The images that have characters. With more, the oldest ones lose theirs and get new ones with their next paint. */
const maxImages = 192;

const images: (WeakRef<EncodedImage> | undefined)[] = [];
const numbers = new WeakMap<EncodedImage, number>();
let next = 0;

export interface ImageCellRow {
  readonly image: EncodedImage;
  readonly row: number;
}

/** Returns the text whose cells are a row of an image. */
export function imageCells(image: EncodedImage, row: number): string {
  let number = numbers.get(image);
  if (number === undefined || images[number]?.deref() !== image) {
    number = next;
    next = (next + 1) % maxImages;
    images[number] = new WeakRef(image);
    numbers.set(image, number);
  }
  return String.fromCodePoint(firstImageCell + number * maxRows + row).repeat(image.columns);
}

/** Whether the value of a cell is such a character. */
export function isImageCell(value: string): boolean {
  return value.length === 2 && value >= '\udbc0' && value < '\udc00';
}

/** Returns the row of an image that a cell belongs to; undefined when the image is gone. */
export function imageCellRow(value: string): ImageCellRow | undefined {
  const offset = (value.codePointAt(0) ?? 0) - firstImageCell;
  const image = images[Math.floor(offset / maxRows)]?.deref();
  return image === undefined ? undefined : {image, row: offset % maxRows};
}
