import {bel, osc} from '#terminal/control-sequences.ts';
import type {CellBox, PixelSize} from './fit-image.ts';
import {halfBlockRows} from './half-blocks.ts';
import type {ImageProtocol} from './image-protocol.ts';
import {kittyRemove, kittyRemovePlacement, kittyRow, kittyUpload, placeholderRows} from './kitty-graphics.ts';
import {encodePng, type Pixels, pixelRows} from './pixels.ts';
import {sixelRows} from './sixel.ts';

export type DrawnProtocol = Exclude<ImageProtocol, 'none'>;

/** How a terminal shows images. */
export interface ImageTarget {
  readonly protocol: DrawnProtocol;
  readonly inTmux: boolean;
  readonly cell: PixelSize;
  readonly hasTrueColor: boolean;
}

/** An image in the form in which the terminal gets it. It fills its box; where its proportions differ, the rest is transparent. */
export interface EncodedImage extends CellBox {
  readonly protocol: DrawnProtocol;
  readonly inTmux: boolean;
  /** The id in the terminal, for the protocols of kitty. */
  readonly id: number;
  /** What must be written once before the image is shown; empty where nothing must. */
  readonly upload: string;
  /**
   * Rows of text with styles (`isText`), or sequences that draw a row of cells at the cursor. `imageRow` returns them for every protocol.
   */
  readonly drawnRows: readonly string[];
  readonly strip: PixelSize;
}

/** The size in pixels that an image must have to be encoded for a box. */
export function pixelSizeFor({columns, rows}: CellBox, {protocol, cell}: ImageTarget): PixelSize {
  if (protocol === 'half-blocks') return {width: columns, height: 2 * rows};
  return {width: columns * cell.width, height: rows * cell.height};
}

/** Encodes an image of the size that `pixelSizeFor` returns. */
export function encodeImage(pixels: Pixels, box: CellBox, target: ImageTarget, id: number): EncodedImage {
  const {protocol, inTmux, cell} = target;
  const strip = {width: pixels.width, height: cell.height};
  const image = {...box, protocol, inTmux, id, strip, upload: '', drawnRows: []};
  switch (protocol) {
    case 'half-blocks':
      return {...image, drawnRows: halfBlockRows(pixels, target.hasTrueColor)};
    case 'sixel':
      return {...image, drawnRows: sixelRows(pixels, cell.height)};
    case 'iterm2':
      return {...image, drawnRows: itermRows(pixels, box, cell.height)};
    case 'kitty':
      return {...image, upload: kittyUpload(id, encodePng(pixels))};
    case 'kitty-placeholders':
      return {
        ...image,
        upload: kittyUpload(id, encodePng(pixels), {...box, inTmux}),
        drawnRows: placeholderRows(id, box),
      };
  }
}

/** Returns a sequence for each row of cells, which draws it at the cursor. */
function itermRows(pixels: Pixels, {columns, rows}: CellBox, rowHeight: number): string[] {
  return Array.from({length: rows}, (_, row) => {
    const png = encodePng(pixelRows(pixels, row * rowHeight, (row + 1) * rowHeight));
    const size = `inline=1;size=${png.length};width=${columns};height=1;preserveAspectRatio=0;doNotMoveCursor=1`;
    return osc(`1337;File=${size}:${png.toString('base64')}`, bel);
  });
}

/** Whether the rows are text, which takes the place of cells. Otherwise they are drawn over blank cells. */
export function isTextImage({protocol}: Pick<EncodedImage, 'protocol'>): boolean {
  return protocol === 'half-blocks' || protocol === 'kitty-placeholders';
}

/**
 * Returns what shows a row of the image: text, or a sequence that draws it at the cursor and may move the cursor. `placement` must differ
 * among the rows that are on the screen at the same time; only kitty uses it.
 */
export function imageRow(image: EncodedImage, row: number, placement: number): string {
  if (image.protocol === 'kitty') return kittyRow(image.id, placement, row, image.columns, image.strip);
  return image.drawnRows[row] ?? '';
}

/** Returns the sequence that removes a row from the screen; empty where writing text over it does. */
export function removeRow(image: Pick<EncodedImage, 'protocol' | 'id'>, placement: number): string {
  return image.protocol === 'kitty' ? kittyRemovePlacement(image.id, placement) : '';
}

/** Returns the sequence that removes the image from the terminal's memory and screen; empty where there is nothing to remove. */
export function removeImage({protocol, id, inTmux}: Pick<EncodedImage, 'protocol' | 'id' | 'inTmux'>): string {
  return protocol === 'kitty' || protocol === 'kitty-placeholders' ? kittyRemove(id, inTmux) : '';
}
