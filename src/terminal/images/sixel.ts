import {esc, st} from '#terminal/control-sequences.ts';
import {opaqueAlpha} from './half-blocks.ts';
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

/** An image of few colours: the index of each pixel's colour, or `transparent`. */
interface IndexedImage {
  /** Red, green and blue. */
  readonly colors: readonly (readonly number[])[];
  readonly indexes: Uint16Array;
}

const transparent = 0xffff;

/** Colours are counted with this many bits for each component. */
const bits = 5;

/** The colours of an image that one entry of the palette stands for, as keys of the histogram. */
type Group = readonly number[];

/** Reduces the colours by median cut: the group with the widest component is divided in its middle until there are enough. */
export function reduceColors({rgba}: Pixels, maxColors: number): IndexedImage {
  const counts = new Uint32Array(1 << (3 * bits));
  const sums = [0, 1, 2].map(() => new Float64Array(counts.length));
  const keys = new Uint16Array(rgba.length / 4);
  for (let i = 0; i < keys.length; i++) {
    const at = 4 * i;
    const isOpaque = (rgba[at + 3] ?? 0) >= opaqueAlpha;
    const key = isOpaque ? keyOf(rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0) : transparent;
    keys[i] = key;
    if (!isOpaque) continue;
    counts[key] = (counts[key] ?? 0) + 1;
    for (const [axis, sum] of sums.entries()) sum[key] = (sum[key] ?? 0) + (rgba[at + axis] ?? 0);
  }
  const used = Array.from(counts.keys()).filter((key) => (counts[key] ?? 0) > 0);
  const groups = used.length === 0 ? [] : dividedGroups(used, counts, maxColors);
  const indexOfKey = new Uint16Array(1 << (3 * bits));
  for (const [index, group] of groups.entries()) for (const key of group) indexOfKey[key] = index;
  return {
    colors: groups.map((group) => meanColor(group, counts, sums)),
    indexes: keys.map((key) => (key === transparent ? transparent : (indexOfKey[key] ?? 0))),
  };
}

function keyOf(red: number, green: number, blue: number): number {
  const shift = 8 - bits;
  return ((red >> shift) << (2 * bits)) | ((green >> shift) << bits) | (blue >> shift);
}

/** Returns a component of the key: 0 is red. */
function component(key: number, axis: number): number {
  return (key >> ((2 - axis) * bits)) & ((1 << bits) - 1);
}

function dividedGroups(used: Group, counts: Uint32Array, maxColors: number): Group[] {
  const groups = [{...widest(used), group: used}];
  while (groups.length < maxColors) {
    const next = groups.reduce((best, one) => (one.range > best.range ? one : best));
    if (next.range === 0) break;
    const halves = dividedGroup(next.group, next.axis, counts);
    groups.splice(groups.indexOf(next), 1, ...halves.map((group) => ({...widest(group), group})));
  }
  return groups.map(({group}) => group);
}

function widest(group: Group): {readonly axis: number; readonly range: number} {
  const ranges = [0, 1, 2].map((axis) => {
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    for (const key of group) {
      least = Math.min(least, component(key, axis));
      most = Math.max(most, component(key, axis));
    }
    return {axis, range: most - least};
  });
  return ranges.reduce((best, one) => (one.range > best.range ? one : best));
}

/** Divides the group so that both parts have about as many pixels, and at least one colour. */
function dividedGroup(group: Group, axis: number, counts: Uint32Array): [Group, Group] {
  const sorted = group.toSorted((one, other) => component(one, axis) - component(other, axis));
  const total = sorted.reduce((sum, key) => sum + (counts[key] ?? 0), 0);
  let [at, sum] = [0, 0];
  while (at < sorted.length - 1 && sum < total / 2) sum += counts[sorted[at++] ?? 0] ?? 0;
  return [sorted.slice(0, Math.max(1, at)), sorted.slice(Math.max(1, at))];
}

function meanColor(group: Group, counts: Uint32Array, sums: readonly Float64Array[]): readonly number[] {
  const total = group.reduce((sum, key) => sum + (counts[key] ?? 0), 0);
  return sums.map((sum) => Math.round(group.reduce((all, key) => all + (sum[key] ?? 0), 0) / total));
}
