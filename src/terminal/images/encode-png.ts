import {crc32, deflateSync} from 'node:zlib';
import type {Pixels} from './pixels.ts';

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
