import {esc, st} from '#terminal/control-sequences.ts';
import {type IndexedImage, reduceColors, transparent} from './palette.ts';
import type {Pixels} from './pixels.ts';

/** As many as terminals have that can show photographs. */
const maxColors = 255;
/** The pixels that one character shows, one above the other. */
const bandHeight = 6;

/** Returns a sequence for each row of cells, which draws it at the cursor. All rows share one palette. */
export function sixelRows(pixels: Pixels, rowHeight: number): string[] {
  const image = reduceColors(pixels, maxColors);
  const rowCount = Math.ceil(pixels.height / rowHeight);
  return Array.from({length: rowCount}, (_, row) => {
    const top = row * rowHeight;
    return sixelImage(image, pixels.width, top, Math.min(top + rowHeight, pixels.height));
  });
}

/** Pixels that are not set keep what the terminal shows there. */
function sixelImage(image: IndexedImage, width: number, top: number, bottom: number): string {
  const used = new Set<number>();
  const bands: string[] = [];
  for (let y = top; y < bottom; y += bandHeight) {
    bands.push(band(image, width, y, Math.min(y + bandHeight, bottom), used));
  }
  const registers = Array.from(used, (index) => {
    const percents = (image.colors[index] ?? [0, 0, 0]).map((value) => Math.round((value / 255) * 100));
    return `#${index};2;${percents.join(';')}`;
  });
  return `${esc}P0;1;0q"1;1;${width};${bottom - top}${registers.join('')}${bands.join('-')}${st}`;
}

/** Returns six rows of pixels: for each colour, the columns where it is. */
function band({indexes}: IndexedImage, width: number, top: number, bottom: number, used: Set<number>): string {
  const byColor = new Map<number, Uint8Array>();
  for (let y = top; y < bottom; y++) {
    for (let x = 0; x < width; x++) {
      const index = indexes[y * width + x] ?? transparent;
      if (index === transparent) continue;
      let columns = byColor.get(index);
      if (columns === undefined) {
        columns = new Uint8Array(width);
        byColor.set(index, columns);
        used.add(index);
      }
      columns[x] = (columns[x] ?? 0) | (1 << (y - top));
    }
  }
  return Array.from(byColor, ([index, columns]) => `#${index}${runs(columns)}`).join('$');
}

/** Returns the characters of a colour, with runs of the same one as a count. Blanks at the end are left out. */
function runs(columns: Uint8Array): string {
  let text = '';
  for (let x = 0; x < columns.length; ) {
    const bits = columns[x] ?? 0;
    let end = x + 1;
    while (end < columns.length && columns[end] === bits) end += 1;
    if (bits === 0 && end === columns.length) break;
    const sign = String.fromCharCode(63 + bits);
    text += end - x > 3 ? `!${end - x}${sign}` : sign.repeat(end - x);
    x = end;
  }
  return text;
}
