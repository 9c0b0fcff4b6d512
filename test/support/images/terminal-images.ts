import {inflateSync} from 'node:zlib';
import {mark} from '#terminal/images/kitty-graphics.ts';
import type {Pixels} from '#terminal/images/pixels.ts';

/** Reads the streams that draw images, as a terminal does, and returns the pixels. */

const esc = '\u001b';

/** Returns an image whose pixels are given by a function; the fourth component is the alpha. */
export function drawnPixels(
  width: number,
  height: number,
  colorAt: (x: number, y: number) => readonly [number, number, number, number?],
): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue, alpha = 255] = colorAt(x, y);
      rgba.set([red, green, blue, alpha], (y * width + x) * 4);
    }
  }
  return {width, height, rgba};
}

/** Four colours in the corners and a transparent middle. */
export function testPicture(width: number, height: number): Pixels {
  return drawnPixels(width, height, (x, y) => {
    const isMiddle = Math.abs(x - width / 2) < width / 8 && Math.abs(y - height / 2) < height / 8;
    if (isMiddle) return [0, 0, 0, 0];
    return [x < width / 2 ? 255 : 0, y < height / 2 ? 255 : 0, Math.floor((255 * x) / width)];
  });
}

/** An image that cannot be compressed; the same each time. */
export function noise(width: number, height: number): Pixels {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed & 0xff;
  };
  return drawnPixels(width, height, () => [random(), random(), random()]);
}

/** Decodes a PNG as `encodePng` makes it: 8 bits, RGBA, filters 0 and 1. */
export function pixelsOfPng(png: Buffer): Pixels {
  let data = Buffer.alloc(0);
  let [width, height] = [0, 0];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
    if (type === 'IDAT') data = Buffer.concat([data, body]);
    at += length + 12;
  }
  const raw = inflateSync(data);
  const rgba = new Uint8Array(width * height * 4);
  const stride = width * 4;
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    if (filter !== 0 && filter !== 1) throw new Error(`The filter ${filter} is not known here.`);
    for (let x = 0; x < stride; x++) {
      const left = filter === 1 && x >= 4 ? (rgba[y * stride + x - 4] ?? 0) : 0;
      rgba[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + left;
    }
  }
  return {width, height, rgba};
}

/** Draws the rows one below the other. */
export function joinedRows(rows: readonly Pixels[]): Pixels {
  return {
    width: rows[0]?.width ?? 0,
    height: rows.reduce((sum, {height}) => sum + height, 0),
    rgba: Buffer.concat(rows.map(({rgba}) => rgba)),
  };
}

/** Draws a sixel sequence. Pixels that are not set stay transparent. */
export function pixelsOfSixel(sequence: string): Pixels {
  const [, body = ''] = /^\u001bP[\d;]*q([^\u001b]*)\u001b\\$/.exec(sequence) ?? [];
  const [, width = 0, height = 0] = (/^"1;1;(\d+);(\d+)/.exec(body) ?? []).map(Number);
  const rgba = new Uint8Array(width * height * 4);
  const palette = new Map<number, readonly number[]>();
  let [x, top, color] = [0, 0, 0];
  const put = (bits: number) => {
    for (let bit = 0; bit < 6; bit++) {
      if ((bits & (1 << bit)) === 0) continue;
      if (x >= width || top + bit >= height) throw new Error('A pixel lies outside of the image.');
      rgba.set([...(palette.get(color) ?? []), 255], ((top + bit) * width + x) * 4);
    }
    x += 1;
  };
  for (const [token] of body.replace(/^"[\d;]*/, '').matchAll(/#\d+(?:;\d+){4}|#\d+|!\d+[?-~]|[?-~]|\$|-/g)) {
    if (token.startsWith('#')) {
      const [index = 0, , ...percents] = token.slice(1).split(';').map(Number);
      if (percents.length === 3)
        palette.set(
          index,
          percents.map((percent) => Math.round((percent / 100) * 255)),
        );
      else color = index;
    } else if (token === '$') x = 0;
    else if (token === '-') [x, top] = [0, top + 6];
    else {
      const count = token.startsWith('!') ? Number.parseInt(token.slice(1), 10) : 1;
      for (let i = 0; i < count; i++) put(token.charCodeAt(token.length - 1) - 63);
    }
  }
  return {width, height, rgba};
}

/** Draws rows of half blocks: a pixel for each half cell. */
export function pixelsOfHalfBlocks(rows: readonly string[]): Pixels {
  const halves = rows.map((row) => {
    const [above, below]: [number[][], number[][]] = [[], []];
    let style: {fore?: number[]; back?: number[]} = {};
    for (const [, sgr, sign] of row.matchAll(/\u001b\[([\d;]*)m|([^\u001b])/g)) {
      if (sgr !== undefined) style = styleOf(sgr.split(';').map(Number));
      else {
        const {fore = none, back = none} = style;
        above.push(sign === '▀' ? fore : sign === '▄' ? back : none);
        below.push(sign === '▀' ? back : sign === '▄' ? fore : none);
      }
    }
    return [above, below];
  });
  const width = halves[0]?.[0]?.length ?? 0;
  return {width, height: 2 * rows.length, rgba: Uint8Array.from(halves.flat(3))};
}

const none = [0, 0, 0, 0];

function styleOf(numbers: readonly number[]): {fore?: number[]; back?: number[]} {
  const style: {fore?: number[]; back?: number[]} = {};
  for (let at = 0; at < numbers.length; at++) {
    const part = numbers[at];
    if (part !== 38 && part !== 48) continue;
    const isTrue = numbers[at + 1] === 2;
    const color = isTrue ? numbers.slice(at + 2, at + 5) : rgbOfIndex(numbers[at + 2] ?? 0);
    style[part === 38 ? 'fore' : 'back'] = [...color, 255];
    at += isTrue ? 4 : 2;
  }
  return style;
}

function rgbOfIndex(index: number): readonly number[] {
  if (index >= 232) return Array(3).fill(8 + 10 * (index - 232));
  const level = (step: number) => [0, 95, 135, 175, 215, 255][step % 6] ?? 0;
  return [level(Math.floor((index - 16) / 36)), level(Math.floor((index - 16) / 6)), level(index - 16)];
}

/** A terminal with kitty's graphics: what it has in memory and what it shows. */
export class KittyTerminal {
  readonly images = new Map<number, Pixels>();
  /** The boxes of images that placeholders show. */
  readonly virtual = new Map<number, {readonly columns: number; readonly rows: number}>();
  /** The source rectangles of placements, by `id/placement`. */
  readonly placements = new Map<string, Readonly<Record<string, number>>>();
  #keys: ReadonlyMap<string, string> = new Map();
  #data = '';

  write(text: string): void {
    for (const [, body = ''] of text.matchAll(/\u001b_G([^\u001b]*)\u001b\\/g)) this.#handle(body);
  }

  #handle(body: string): void {
    const [control = '', payload = ''] = body.split(';');
    const keys = new Map(control.split(',').map((pair) => pair.split('=') as [string, string]));
    if (payload.length > 4096) throw new Error('A piece is too long.');
    if (keys.get('q') !== '2') throw new Error('The terminal would answer.');
    if (this.#data === '' && payload !== '') this.#keys = keys;
    const action = keys.get('a') ?? this.#keys.get('a');
    const id = Number(keys.get('i') ?? this.#keys.get('i'));
    if (action === 't' || action === 'T') {
      this.#data += payload;
      if (keys.get('m') === '1') return;
      this.images.set(id, pixelsOfPng(Buffer.from(this.#data, 'base64')));
      const number = (key: string) => Number(this.#keys.get(key));
      if (this.#keys.get('U') === '1') this.virtual.set(id, {columns: number('c'), rows: number('r')});
      [this.#data, this.#keys] = ['', new Map()];
    } else if (action === 'p') {
      const numbers = Object.fromEntries(Array.from(keys, ([key, value]) => [key, Number(value)]));
      this.placements.set(`${id}/${keys.get('p')}`, numbers);
    } else if (action === 'd' && keys.get('d') === 'i') this.placements.delete(`${id}/${keys.get('p')}`);
    else if (action === 'd' && keys.get('d') === 'I') {
      this.images.delete(id);
      this.virtual.delete(id);
      for (const key of this.placements.keys()) if (key.startsWith(`${id}/`)) this.placements.delete(key);
    } else throw new Error(`The terminal does not know ${body.slice(0, 40)}.`);
  }
}

/** Returns the image id and the row and column of each placeholder in a row of text. */
export function placeholdersOf(text: string): {readonly id: number; readonly row: number; readonly column: number}[] {
  const numbers = new Map(Array.from({length: 297}, (_, number) => [mark(number), number]));
  const color = Number(/\u001b\[38;5;(\d+)m/.exec(text)?.[1]);
  return text
    .replaceAll(/\u001b\[[\d;]*m/g, '')
    .split('\u{10eeee}')
    .slice(1)
    .map((marks) => {
      const [row = 0, column = 0, high = 0] = Array.from(marks, (sign) => numbers.get(sign) ?? Number.NaN);
      return {id: ((high << 24) | color) >>> 0, row, column};
    });
}

/** Returns a sequence that was wrapped for the terminal around tmux. */
export function unwrapped(text: string): string {
  return text.replaceAll(/\u001bPtmux;((?:[^\u001b]|\u001b\u001b)*)\u001b\\/g, (_, inner: string) =>
    inner.replaceAll(esc + esc, esc),
  );
}

/** Returns the largest difference between components; transparent pixels are equal whatever their colours. */
export function largestDifference(one: Pixels, other: Pixels): number {
  if (one.width !== other.width || one.height !== other.height) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let at = 0; at < one.rgba.length; at++) {
    const alphaAt = at - (at % 4) + 3;
    const isHidden = (one.rgba[alphaAt] ?? 0) === 0 && (other.rgba[alphaAt] ?? 0) === 0;
    if (!isHidden) most = Math.max(most, Math.abs((one.rgba[at] ?? 0) - (other.rgba[at] ?? 0)));
  }
  return most;
}
