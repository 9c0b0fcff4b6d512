import {describe, expect, test} from 'vitest';
import {checkImage, maxImageBytes} from '#terminal/images/check-image.ts';
import type {ImageTarget} from '#terminal/images/encode-image.ts';
import {encodeInWorker} from '#terminal/images/image-worker.ts';
import {gifFile, jpegFile, pngFile, webpFile} from '#test/support/images/image-files.ts';
import {drawnPixels, noise, pixelsOfHalfBlocks, testPicture} from '#test/support/images/terminal-images.ts';
import {slowTest} from '#test/support/tier.ts';

const target: ImageTarget = {protocol: 'half-blocks', inTmux: false, cell: {width: 8, height: 16}, hasTrueColor: true};
const box = {columns: 8, rows: 4};

async function decode(file: Buffer) {
  const reply = await encodeInWorker({file, box, target, id: 1}, new AbortController().signal);
  return 'image' in reply ? pixelsOfHalfBlocks(reply.image.drawnRows) : reply.problem;
}

async function colorAt(file: Buffer, x: number, y: number): Promise<readonly number[] | string> {
  const pixels = await decode(file);
  return typeof pixels === 'string' ? pixels : Array.from(pixels.rgba.subarray((y * 8 + x) * 4).subarray(0, 4));
}

const square = drawnPixels(64, 64, (x) => (x < 32 ? [250, 10, 10] : [10, 10, 250]));

describe('images are decoded by their bytes', () => {
  test.each([
    ['PNG', pngFile(square)],
    ['JPEG', jpegFile(square)],
    ['WebP', webpFile(square)],
  ])('%s', async (_, file) => {
    const [left, right] = [await colorAt(file, 1, 4), await colorAt(file, 6, 4)];
    expect(left[0]).toBeGreaterThan(230);
    expect(right[2]).toBeGreaterThan(230);
  });

  test('GIF', async () => {
    expect(await colorAt(gifFile([1, 1]), 0, 0)).toEqual([200, 40, 40, 255]);
  });
});

test('an image of other proportions leaves the rest of its box to the background', async () => {
  const wide = pngFile(drawnPixels(64, 16, () => [250, 10, 10]));
  expect(await colorAt(wide, 7, 1)).toEqual([250, 10, 10, 255]);
  expect(await colorAt(wide, 0, 2)).toEqual([0, 0, 0, 0]);
});

test('transparent parts stay transparent', async () => {
  expect(await colorAt(pngFile(testPicture(64, 64)), 4, 4)).toEqual([0, 0, 0, 0]);
});

/** A PNG whose header says another size than its data has. */
function pngWithSize(width: number, height: number): Buffer {
  const file = pngFile(drawnPixels(2, 2, () => [1, 2, 3]));
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  return file;
}

const webpCanvas = Buffer.concat([
  Buffer.from('RIFF\x40\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x01\0\0\x01\0\0', 'latin1'),
  Buffer.from('VP8 \x10\0\0\0\0\0\0\x9d\x01\x2a\xff\x3f\xff\x3f\0\0\0\0\0\0', 'latin1'),
]);

describe('what cannot be shown gives a sentence', () => {
  test.each<[string, Buffer, RegExp]>([
    [
      'a PNG that says 60,000×60,000',
      pngWithSize(60_000, 60_000),
      /^The image has 60000×60000 pixels, which is too large/,
    ],
    ['a PNG with a side of 4 billion', pngWithSize(4_294_967_295, 1), /too large to show\.$/],
    ['a PNG without a size', pngWithSize(0, 0), /^This PNG file is damaged\.$/],
    ['a PNG whose data is shorter than it says', pngWithSize(5000, 5000), /^The image is damaged\.$/],
    ['a PNG that ends in its header', pngFile(square).subarray(0, 18), /^This PNG file is damaged\.$/],
    ['a PNG that is cut off', pngFile(noise(64, 64)).subarray(0, 2000), /^The image is damaged\.$/],
    ['a JPEG that is cut off in its head', jpegFile(square).subarray(0, 100), /damaged\.$/],
    [
      'a GIF whose frame is larger than its screen',
      gifFile([1, 1], [65_535, 65_535]),
      /^The image has 65535×65535 pixels/,
    ],
    ['a WebP whose frame is larger than it says', webpCanvas, /^The image has 16383×16383 pixels/],
    ['noise', Buffer.from(noise(600, 440).rgba), /^This is not an image that can be shown/],
    [
      'noise behind the start of a PNG',
      Buffer.concat([pngFile(square).subarray(0, 33), Buffer.from(noise(500, 500).rgba)]),
      /damaged/,
    ],
    ['SVG', Buffer.from('<?xml version="1.0"?>\n<svg xmlns="x"/>'), /^SVG images cannot be shown here\.$/],
    ['a web page', Buffer.from('<!DOCTYPE html><title>Log in</title>'), /^The server sent a web page instead/],
    ['nothing', Buffer.alloc(0), /^The file is empty\.$/],
    [
      'more than 20 MB',
      Buffer.concat([pngFile(square), Buffer.alloc(21 * 1024 * 1024)]),
      /^The image is larger than 20 MB\.$/,
    ],
  ])('%s', async (_, file, sentence) => {
    expect(await decode(file)).toMatch(sentence);
  });

  test('and the next image is shown', async () => {
    expect(await decode(pngFile(noise(64, 64)).subarray(0, 2000))).toMatch(/damaged/);
    expect(await colorAt(pngFile(square), 1, 4)).toEqual([250, 10, 10, 255]);
  });
});

test('exactly 40 megapixels, a side of 30,000 and 20 MiB are not too much, and one more is', () => {
  const isShown = (file: Buffer) => 'size' in checkImage(file);
  expect([isShown(pngWithSize(8000, 5000)), isShown(pngWithSize(8000, 5001))]).toEqual([true, false]);
  expect([isShown(pngWithSize(30_000, 1)), isShown(pngWithSize(1, 30_001))]).toEqual([true, false]);
  const start = pngFile(square);
  const file = Buffer.concat([start, Buffer.alloc(maxImageBytes + 1 - start.length)]);
  expect([isShown(file.subarray(1)), isShown(file.subarray(0, -1)), isShown(file)]).toEqual([false, true, false]);
});

slowTest('an image that takes too long gives a sentence, and the next one is shown', async () => {
  const {signal} = new AbortController();
  const job = {file: pngFile(noise(2000, 1500)), box, target, id: 1};
  expect(await encodeInWorker(job, signal, 1)).toEqual({problem: 'Decoding the image took too long.'});
  expect(await colorAt(pngFile(square), 1, 4)).toEqual([250, 10, 10, 255]);
});

test('a job that is aborted before it begins does not delay the others', async () => {
  const abort = new AbortController();
  const file = pngFile(square);
  const first = encodeInWorker({file, box, target, id: 1}, new AbortController().signal);
  let isAnswered = false;
  void encodeInWorker({file, box, target, id: 2}, abort.signal).then(() => {
    isAnswered = true;
  });
  abort.abort();
  const third = await encodeInWorker({file, box, target, id: 3}, new AbortController().signal);
  expect([await first, third].every((reply) => 'image' in reply)).toBe(true);
  expect(isAnswered).toBe(false);
});
