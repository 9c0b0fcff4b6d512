import {crc32, deflateSync} from 'node:zlib';

/** An image as four bytes for each pixel: red, green, blue, alpha. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** Returns some rows of the image. They share its memory. */
export function pixelRows({width, height, rgba}: Pixels, from: number, to: number): Pixels {
  const end = Math.min(to, height);
  return {width, height: end - from, rgba: rgba.subarray(from * width * 4, end * width * 4)};
}

/** Returns the image in the top left corner of a transparent one of this size, which must not be smaller. */
export function padded(pixels: Pixels, width: number, height: number): Pixels {
  if (pixels.width === width && pixels.height === height) return pixels;
  const rgba = new Uint8Array(width * height * 4);

  for (let y = 0; y < pixels.height; y++) {
    const row = pixelRows(pixels, y, y + 1).rgba;
    rgba.set(row, y * width * 4);
  }
  return {width, height, rgba};
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Eight bits for each of red, green, blue and alpha. */
const colorType = [8, 6, 0, 0, 0];

/** Returns the image as a PNG. */
export function encodePng({width, height, rgba}: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(colorType, 8);
  const stride = width * 4;
  const rows = Buffer.alloc((stride + 1) * height);
  // Each row begins with 1: bytes are stored as the difference from the pixel at the left, which is smaller when compressed.
  for (let y = 0; y < height; y++) {
    const to = y * (stride + 1);
    rows[to] = 1;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      rows[to + 1 + x] = (rgba[at] ?? 0) - (x < 4 ? 0 : (rgba[at - 4] ?? 0));
    }
  }
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const framed = Buffer.alloc(data.length + 12);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  framed.set(data, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, data.length + 8)), data.length + 8);
  return framed;
}

/**
 * Returns how the pixels of a JPEG must be turned, as cameras write it: from 5 on, width and height change places. 1, not at
 * all, for other files and where it is not said.
 */
export function orientationOf(file: Buffer): number {
  try {
    if (file.readUInt16BE(0) !== 0xffd8) return 1;
    for (
      let at = 2;
      file.readUInt8(at) === 0xff && file.readUInt8(at + 1) !== 0xda;
      at += 2 + file.readUInt16BE(at + 2)
    ) {
      if (file.toString('latin1', at + 4, at + 10) === 'Exif\0\0') return exifOrientation(file.subarray(at + 10));
    }
  } catch (error) {
    // The bytes end before it.
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}

/** Reads the first directory of a TIFF: entries of twelve bytes, with their tag first. */
function exifOrientation(tiff: Buffer): number {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(start); entry++) {
    const at = start + 2 + 12 * entry;
    if (short(at) === 0x112) return short(at + 8);
  }
  return 1;
}

/** Whether width and height change places. */
export function isTurned(orientation: number): boolean {
  return orientation >= 5 && orientation <= 8;
}

/** Returns the pixels as they are meant to be seen. */
export function oriented({width, height, rgba}: Pixels, orientation: number): Pixels {
  if (orientation < 2 || orientation > 8) return {width, height, rgba};
  const isSwapped = isTurned(orientation);
  const [columns, rows] = isSwapped ? [height, width] : [width, height];
  const isFromRight = [2, 3, 7, 8].includes(orientation);
  const isFromBottom = [3, 4, 6, 7].includes(orientation);
  const turned = new Uint8Array(rgba.length);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const [across, down] = isSwapped ? [y, x] : [x, y];
      const from = (isFromBottom ? height - 1 - down : down) * width + (isFromRight ? width - 1 - across : across);
      turned.set(rgba.subarray(4 * from, 4 * from + 4), 4 * (y * columns + x));
    }
  }
  return {width: columns, height: rows, rgba: turned};
}
