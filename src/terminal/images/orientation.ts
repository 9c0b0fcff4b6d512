import type {Pixels} from './pixels.ts';

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
