import {firstImageCell} from '#content/styled-text/sanitize-text.ts';
import type {EncodedImage} from '#terminal/images/encode-image.ts';

/**
 * The cells of images, which are drawn after the text of a frame. In the frame, every row of an image is a run of one private character,
 * so overlays cover it and lines move it like any text. The output stage writes blanks for it and knows from the final rows
 * which rows of which image are visible where.
 */

/** A range of characters. Each image has as many as it may have rows. */
interface CellRange {
  readonly first: number;
  readonly maxRows: number;
  /** The images that have characters. With more, the oldest ones lose theirs and get new ones with their next paint. */
  readonly maxImages: number;
  readonly images: (WeakRef<EncodedImage> | undefined)[];
  next: number;
}

const tall: CellRange = {first: firstImageCell, maxRows: 256, maxImages: 192, images: [], next: 0};
/** Emoji: all are equally wide, so that one with the characters of another would be drawn in its place. */
const flat: CellRange = {first: firstImageCell + 192 * 256, maxRows: 1, maxImages: 8192, images: [], next: 0};

const numbers = new WeakMap<EncodedImage, number>();

export interface ImageCellRow {
  readonly image: EncodedImage;
  readonly row: number;
}

/** Returns the text whose cells are a row of an image. */
export function imageCells(image: EncodedImage, row: number): string {
  const range = image.rows === 1 ? flat : tall;
  let number = numbers.get(image);
  if (number === undefined || range.images[number]?.deref() !== image) {
    number = range.next;
    range.next = (number + 1) % range.maxImages;
    range.images[number] = new WeakRef(image);
    numbers.set(image, number);
  }
  return String.fromCodePoint(range.first + number * range.maxRows + row).repeat(image.columns);
}

/** Whether the value of a cell is such a character. */
export function isImageCell(value: string): boolean {
  return value.length === 2 && value >= '\udbc0' && value < '\udc00';
}

/** Returns the row of an image that a cell belongs to; undefined when the image is gone. */
export function imageCellRow(value: string): ImageCellRow | undefined {
  const point = value.codePointAt(0) ?? 0;
  const {first, maxRows, images} = point < flat.first ? tall : flat;
  const image = images[Math.floor((point - first) / maxRows)]?.deref();
  return image === undefined ? undefined : {image, row: (point - first) % maxRows};
}
