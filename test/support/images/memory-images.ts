import {crc32, deflateSync} from 'node:zlib';
import {gifFile, jpegFile, pngFile, webpFile} from './image-files.ts';
import {drawnPixels} from './terminal-images.ts';

/** Small images that are made to take much memory while they are decoded, and large ones that are not. */

const mib = 1024 * 1024;
const square = drawnPixels(10, 10, () => [250, 10, 10]);
const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

/** Returns a PNG with these chunks before its data. */
export function pngWith(...chunks: readonly Buffer[]): Buffer {
  const file = pngFile(square);
  return Buffer.concat([file.subarray(0, 33), ...chunks, file.subarray(33)]);
}

/** Returns zlib data of zeros: a thousandth of their size. */
export const zeros = (size: number): Buffer => deflateSync(Buffer.alloc(size));

const text = (start: string, data: Buffer) => Buffer.concat([Buffer.from(start, 'latin1'), data]);
export const iccp = (size: number) => pngWith(pngChunk('iCCP', text('icc\0\0', zeros(size))));

/** Returns a WebP with chunks around its image. */
export function webpWith(...chunks: readonly (readonly [string, Buffer])[]): Buffer {
  const image = webpFile(square).subarray(12);
  const parts = chunks.flatMap(([type, data]) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    return [Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)];
  });
  const canvas = Buffer.from('VP8X\x0a\0\0\0\x2c\0\0\0\x09\0\0\x09\0\0', 'latin1');
  const body = Buffer.concat([Buffer.from('WEBP'), canvas, ...parts, image]);
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** Returns a JPEG with segments after its start. */
export function jpegWith(...segments: readonly (readonly [number, Buffer])[]): Buffer {
  const file = jpegFile(square);
  const parts = segments.map(([marker, data]) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([file.subarray(0, 2), ...parts, file.subarray(2)]);
}

/** Returns a GIF with comments before its image. */
export function gifWith(comments: number): Buffer {
  const file = gifFile([1, 1]);
  const flags = file.readUInt8(10);
  const at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 255]), Buffer.alloc(255, 'x'), Buffer.from([0])]);
  return Buffer.concat([file.subarray(0, at), ...Array.from({length: comments}, () => comment), file.subarray(at)]);
}

/** Returns a PNG of one colour by its header: bits for each channel, and whether it is interlaced. */
export function largePng(side: number, bits: number, isInterlaced: boolean): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([bits, 6, 0, 0, Number(isInterlaced)], 8);
  // Interlaced rows are more, each with a byte of its filter.
  const size = side * side * ((4 * bits) / 8) + 2 * side;
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', zeros(size)), pngChunk('IEND')]);
}

const icc = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\xff', 'latin1'), Buffer.alloc(65_000)]);

export const memoryImages: Readonly<Record<string, () => Buffer>> = {
  'PNG 10×10': () => pngFile(square),
  'PNG 10×10, iCCP of 256 MiB': () => iccp(256 * mib),
  'PNG 10×10, iCCP of 1 GiB': () => iccp(1024 * mib),
  'PNG 10×10, zTXt of 1 GiB': () => pngWith(pngChunk('zTXt', text('Comment\0\0', zeros(1024 * mib)))),
  'PNG 10×10, iTXt of 1 GiB': () => pngWith(pngChunk('iTXt', text('Comment\0\x01\0\0\0', zeros(1024 * mib)))),
  'PNG 10×10, 1,000 × zTXt of 1 MiB': () =>
    pngWith(...Array.from({length: 1000}, () => pngChunk('zTXt', text('Comment\0\0', zeros(mib))))),
  'PNG 10×10, eXIf of 15 MiB': () => pngWith(pngChunk('eXIf', Buffer.alloc(15 * mib))),
  'PNG 10×10, IDAT of 1 GiB': () =>
    Buffer.concat([pngFile(square).subarray(0, 33), pngChunk('IDAT', zeros(1024 * mib)), pngChunk('IEND')]),
  'PNG 10×10, 1,000,000 empty IDAT': () => pngWith(Buffer.alloc(12e6, pngChunk('IDAT'))),
  'PNG 10×10, 1,000,000 sPLT': () => pngWith(Buffer.alloc(15e6, pngChunk('sPLT', Buffer.from('a\0\x08')))),
  'WebP 10×10, ICCP, EXIF and XMP of 15 MiB': () =>
    webpWith(['ICCP', Buffer.alloc(5 * mib)], ['EXIF', Buffer.alloc(5 * mib)], ['XMP ', Buffer.alloc(5 * mib)]),
  'JPEG 10×10, ICC of 15 MiB': () => jpegWith(...Array.from({length: 240}, () => [0xe2, icc] as const)),
  'GIF 1×1, comments of 15 MiB': () => gifWith(60_000),
  'PNG 6,300×6,300': () => largePng(6300, 8, false),
  'PNG 6,300×6,300, interlaced': () => largePng(6300, 8, true),
  'PNG 6,300×6,300, 16 bits': () => largePng(6300, 16, false),
  'PNG 6,300×6,300, 16 bits, interlaced': () => largePng(6300, 16, true),
  'JPEG 6,300×6,300': () => jpegFile(drawnPixels(6300, 6300, (x, y) => [x & 255, y & 255, 90])),
};
